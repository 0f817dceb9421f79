import { LRUCache } from 'lru-cache'
import { ApiError } from '../../errors.ts'
import type { Db, Env } from '../../store/database.ts'
import { countOpenEvents } from '../../store/history/events.ts'

/** Says no to an environment whose own events wait in too great a number; whose do not never hears of it. */
export type Backlog = {
  /** Throws `backlog_full`. Counts what is let in, so that the bound also holds between two looks at the table. */
  admit(db: Db, env: Env, events: number): Promise<void>
}

type Seen = { waiting: number }

// A look costs some 10 ms at the bound, and less below it: once a second for each environment that triggers.
const rememberMs = 1_000
const rememberMost = 10_000
// Long enough for a thousand events or more to have gone.
const retryAfterSeconds = 2

export function createBacklog(bound: number): Backlog {
  const seen = new LRUCache<string, Promise<Seen>>({ max: rememberMost, ttl: rememberMs })

  function look(db: Db, env: Env): Promise<Seen> {
    const fresh = countOpenEvents(db, env, bound).then((waiting) => ({ waiting }))
    seen.set(env.environmentId, fresh)
    fresh.catch(() => seen.delete(env.environmentId))
    return fresh
  }

  return {
    async admit(db, env, events) {
      const now = await (seen.get(env.environmentId) ?? look(db, env))
      if (now.waiting >= bound) throw new ApiError('backlog_full', { retryAfterSeconds })
      now.waiting += events
    },
  }
}
