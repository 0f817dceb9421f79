import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { hasMoreText, isPlainObject } from '../../lib/canonical-json.ts'
import { DatabaseAway } from '../../store/connect/database-away.ts'
import {
  afterCommit,
  type Env,
  isDatabaseUnavailable,
  lockNotAvailable,
  type Outside,
  sqlState,
} from '../../store/database.ts'
import { acceptEvents } from './accept-events.ts'
import { mostEventsAtOnce } from './finish-at-once.ts'
import type { TriggerResult } from './judge-events.ts'

type Call = { env: Env; events: readonly unknown[]; traceparent: unknown }
type Waiting = Call & { weight: number; resolve(results: TriggerResult[] | null): void; reject(error: unknown): void }

// Of a call. A larger one is accepted by itself, so that nobody waits for its text.
const mostChars = 32 * 1024
// Workflows whose payloads need a thread to judge them, which takes as long as it takes.
const apart = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })

/**
 * Small calls of one environment that come at the same time share one transaction. Each is answered after its commit, with
 * its own results. Null: this one is to be accepted by itself.
 */
export async function acceptTogether(ctx: Ctx, call: Call): Promise<TriggerResult[] | null> {
  const { env, events } = call
  // One with more has enough to share among its own.
  if (events.length > mostEventsAtOnce || hasMoreText(events, { left: mostChars })) return null
  if (namesOf(call).some((name) => apart.has(name))) return null
  const { promise, resolve, reject } = Promise.withResolvers<TriggerResult[] | null>()
  const waiting: Waiting = { ...call, weight: events.length, resolve, reject }
  const isIn = ctx.together.join(env.environmentId, waiting, (group) => acceptAll(ctx, group), refuseAll)
  if (!isIn) throw new ApiError('too_many_requests', { retryAfterSeconds: 1 })
  return promise
}

/** Those before them wait for a standby that is away, or for a lock: they would wait as long once more. */
function refuseAll(late: readonly Waiting[]): void {
  const error = new DatabaseAway('the calls before this one are not over yet')
  for (const { reject } of late) reject(error)
}

/** The workflows that a call names, before it is checked. */
function namesOf({ env, events }: Call): string[] {
  return events.flatMap((event) =>
    isPlainObject(event) && typeof event.name === 'string' && event.name.length <= 255 ? keyOf(env, event.name) : [],
  )
}

function keyOf({ environmentId }: Env, workflow: string): string {
  return `${environmentId} ${workflow}`
}

class NeedsThread extends Error {
  readonly workflows: readonly string[]

  constructor(workflows: readonly string[]) {
    super('payloads are to be judged in a thread')
    this.workflows = workflows
  }
}

/** Ends each of them. If one of them cannot be written, whatever the reason, each is to be accepted by itself. */
async function acceptAll(ctx: Ctx, group: readonly Waiting[]): Promise<void> {
  const [first] = group
  if (!first) return
  const { env } = first
  const events = group.flatMap((call) => call.events)
  const traceparents = group.flatMap((call) => call.events.map(() => call.traceparent))
  let results: TriggerResult[] = []
  let [isCommitting, isCommitted] = [false, false]
  try {
    await ctx.database.write(env, async (db) => {
      isCommitting = false
      afterCommit(db, () => {
        isCommitted = true
      })
      const outside: Outside = (_key, _work, { workflows = [] } = {}) => Promise.reject(new NeedsThread(workflows))
      const traceparent = (place: number) => traceparents[place]
      const scope = { ctx, db, env, now: ctx.clock(), outside, traceparent }
      results = await acceptEvents(scope, events, { shared: true })
      isCommitting = true
    })
  } catch (error) {
    if (!isCommitted) {
      // Nobody knows whether a commit without an answer happened: events without a transactionId would be doubled.
      const isKnown = !isCommitting || sqlState(error) !== undefined
      const isForAll = !isKnown || error instanceof ApiError || isDatabaseUnavailable(error)
      if (error instanceof NeedsThread) for (const name of error.workflows) apart.set(keyOf(env, name), true)
      else if (!isForAll) {
        ctx.log.warn({ err: error, ...env, calls: group.length }, 'calls could not be accepted together')
        // So that they do not all wait for the same lock once more.
        if (sqlState(error) === lockNotAvailable) ctx.places.close(env.environmentId)
      }
      for (const { resolve, reject } of group) isForAll ? reject(error) : resolve(null)
      return
    }
    ctx.log.error({ err: error }, 'after the commit of triggers')
  }
  answer(group, results)
}

/** Each with the results of its own events. */
function answer(group: readonly Waiting[], results: readonly TriggerResult[]): void {
  let from = 0
  for (const { resolve, weight } of group) {
    resolve(results.slice(from, from + weight))
    from += weight
  }
}
