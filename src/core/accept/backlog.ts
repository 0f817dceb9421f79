import { LRUCache } from 'lru-cache'
import { ApiError } from '../../errors.ts'
import type { Db, Env } from '../../store/database.ts'
import { countOpenEvents } from '../../store/history/events.ts'

/** Refuses triggers of an environment that has too many waiting events. Other environments are not affected. */
export type Backlog = {
  /** Throws `backlog_full`. Adds accepted events to the count, so that the bound holds until the next count. */
  admit(db: Db, env: Env, events: number): Promise<void>
}

type BacklogCount = { waiting: number }

// Counting takes about 10 ms at the bound, less below it. So at most once a second per environment.
const rememberMs = 1_000
const rememberMost = 10_000
// Enough time to work off a thousand events or more.
const retryAfterSeconds = 2

export function createBacklog(bound: number): Backlog {
  const counts = new LRUCache<string, Promise<BacklogCount>>({ max: rememberMost, ttl: rememberMs })

  function countAgain(db: Db, env: Env): Promise<BacklogCount> {
    const fresh = countOpenEvents(db, env, bound).then((waiting) => ({ waiting }))
    counts.set(env.environmentId, fresh)
    fresh.catch(() => counts.delete(env.environmentId))
    return fresh
  }

  return {
    async admit(db, env, events) {
      const count = await (counts.get(env.environmentId) ?? countAgain(db, env))
      if (count.waiting >= bound) throw new ApiError('backlog_full', { retryAfterSeconds })
      count.waiting += events
    },
  }
}
