import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import { claimLease, lockLease, releaseLease } from '../store/access/idempotency.ts'
import type { Db, Env } from '../store/database.ts'
import { claimOf, keepReply, type Reply, type Request, replay, underSavepoint } from './idempotency.ts'

type Work<O> = {
  /** Calls the outside; no transaction is open. */
  call(): Promise<O>
  run(db: Db, outside: O): Promise<Reply>
  keepRefusal(error: unknown): Reply | null
}

// Longer than any call a route makes to a provider. Who holds a claim beyond it has crashed.
const leaseMs = 60_000
// As long as a duplicate of an ordinary request waits for the first one.
const waitMs = 5_000
const lookAgainAfterMs = 50

/**
 * For requests that call a provider: the claim is committed before the call, since a transaction held meanwhile would
 * hold its connection too. The reply is kept in the transaction of the rest of the work.
 */
export async function runLeased<O>(ctx: Ctx, env: Env, request: Request, work: Work<O>): Promise<Reply> {
  const lease = { claim: claimOf(request), claimedAt: ctx.clock() }
  const earlier = await claimOrWait(ctx, env, request, lease)
  if (earlier) return earlier
  try {
    const outside = await work.call().then(
      (value) => ({ value }),
      (error: unknown) => refusedBy(error, work),
    )
    return await ctx.database.write(env, async (db) => {
      if (!(await lockLease(db, env, lease))) throw inFlight()
      const run = (inner: Db) =>
        'refusal' in outside ? Promise.resolve(outside.refusal) : work.run(inner, outside.value)
      const reply = await underSavepoint(db, { run, keepRefusal: work.keepRefusal })
      await keepReply(ctx, db, env, lease.claim, reply)
      return reply
    })
  } catch (error) {
    // Nothing to be kept came of it: the same request may be made again at once.
    await ctx.database.write(env, (db) => releaseLease(db, env, lease))
    throw error
  }
}

function refusedBy<O>(error: unknown, work: Work<O>): { refusal: Reply } {
  const refusal = work.keepRefusal(error)
  if (!refusal) throw error
  return { refusal }
}

type Lease = { claim: Buffer; claimedAt: Date }

/** Null: the claim is ours. Otherwise the reply of whoever had it, once it has one. */
async function claimOrWait(ctx: Ctx, env: Env, request: Request, lease: Lease): Promise<Reply | null> {
  for (const until = performance.now() + waitMs; ; await sleep(lookAgainAfterMs)) {
    lease.claimedAt = ctx.clock()
    const leasedUntil = new Date(lease.claimedAt.getTime() + leaseMs)
    try {
      return await ctx.database.write(env, async (db) => {
        const ours = await claimLease(db, env, { ...lease, leasedUntil, requestHash: request.requestHash })
        return ours ? null : replay(ctx, env, db, lease.claim, request.requestHash)
      })
    } catch (error) {
      const isRunning = error instanceof ApiError && error.code === 'request_in_flight'
      if (!isRunning || performance.now() > until) throw error
    }
  }
}

function inFlight(): ApiError {
  return new ApiError('request_in_flight', { retryAfterSeconds: 1 })
}
