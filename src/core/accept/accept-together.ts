import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { hasMoreText } from '../../lib/canonical-json.ts'
import { afterCommit, type Env, isDatabaseUnavailable } from '../../store/database.ts'
import { acceptEvents } from './accept-events.ts'
import type { TriggerResult } from './judge-events.ts'

type Trigger = { env: Env; event: { name: string }; traceparent: unknown }
type Waiting = Trigger & { resolve(result: TriggerResult | null): void; reject(error: unknown): void }

// A larger event is accepted by itself, so that nobody waits for its text.
const mostChars = 32 * 1024
// Workflows whose payloads need a thread to judge them, which takes as long as it takes.
const apart = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })

/**
 * Single triggers of one environment that come at the same time share one transaction. Each is answered after its commit,
 * with its own result. Null: this one is to be accepted by itself.
 */
export async function acceptTogether(ctx: Ctx, trigger: Trigger): Promise<TriggerResult | null> {
  const { environmentId } = trigger.env
  if (apart.has(nameOf(trigger)) || hasMoreText(trigger.event, { left: mostChars })) return null
  const { promise, resolve, reject } = Promise.withResolvers<TriggerResult | null>()
  const waiting: Waiting = { ...trigger, resolve, reject }
  const isIn = ctx.together.join(environmentId, waiting, (group) => acceptAll(ctx, group))
  if (!isIn) throw new ApiError('too_many_requests', { retryAfterSeconds: 1 })
  return promise
}

function nameOf({ env, event }: Trigger): string {
  return `${env.environmentId} ${event.name}`
}

class NeedsThread extends Error {}

/** Ends each of them. If one of them cannot be written, whatever the reason, each is to be accepted by itself. */
async function acceptAll(ctx: Ctx, group: readonly Waiting[]): Promise<void> {
  const [first] = group
  if (!first) return
  const { env } = first
  let results: readonly TriggerResult[] = []
  let isCommitted = false
  try {
    await ctx.database.write(env, async (db) => {
      afterCommit(db, () => {
        isCommitted = true
      })
      const outside = () => Promise.reject(new NeedsThread())
      const traceparent = (place: number) => group[place]?.traceparent
      const events = group.map(({ event }) => event)
      results = await acceptEvents({ ctx, db, env, now: ctx.clock(), outside, traceparent }, events)
    })
  } catch (error) {
    if (!isCommitted) {
      if (error instanceof NeedsThread) for (const waiting of group) apart.set(nameOf(waiting), true)
      const isForAll = error instanceof ApiError || isDatabaseUnavailable(error)
      for (const { resolve, reject } of group) isForAll ? reject(error) : resolve(null)
      return
    }
    ctx.log.error({ err: error }, 'after the commit of triggers')
  }
  for (const [place, { resolve }] of group.entries()) resolve(results[place] ?? null)
}
