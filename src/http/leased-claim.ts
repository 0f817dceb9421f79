import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import { claimLease, lockLease, releaseLease } from '../store/access/idempotency.ts'
import { writePatiently } from '../store/connect/write-patiently.ts'
import type { Db, Env } from '../store/database.ts'
import { claimOf, keepReply, type Reply, type Request, replay, underSavepoint } from './idempotency.ts'

type Work<P> = {
  /** The work before the transaction. */
  prepare(): Promise<P>
  run(db: Db, prepared: P): Promise<Reply>
  keepRefusal(error: unknown): Reply | null
}

// Longer than any call to a provider: a claim held for longer belongs to a process that crashed.
const leaseMs = 60_000
// As long as a duplicate of an ordinary request waits (`lock_timeout`).
const waitMs = 5_000
const lookAgainAfterMs = 50

/**
 * For requests with work before the transaction: the claim is committed first, because a transaction held during that
 * work would hold a connection. The reply is kept in the transaction of the rest.
 */
export async function runLeased<P>(ctx: Ctx, env: Env, request: Request, work: Work<P>): Promise<Reply> {
  const lease = { claim: claimOf(request), claimedAt: ctx.clock() }
  const earlier = await claimOrWait(ctx, env, request, lease)
  if (earlier) return earlier
  try {
    const prepared = await work.prepare().then(
      (value) => ({ value }),
      (error: unknown) => refusedBy(error, work),
    )
    return await ctx.database.write(env, async (db) => {
      if (!(await lockLease(db, env, lease))) throw inFlight()
      const run = async (inner: Db) => ('refusal' in prepared ? prepared.refusal : work.run(inner, prepared.value))
      const reply = await underSavepoint(db, { run, keepRefusal: work.keepRefusal })
      await keepReply(ctx, db, env, lease.claim, reply)
      return reply
    })
  } catch (error) {
    // Nothing was kept, so the same request may be made again at once.
    const release = () => ctx.database.write(env, (db) => releaseLease(db, env, lease))
    // Whoever asked need not wait until the database is back, or the environment is let go.
    await release().catch(() => void writePatiently(release).catch(() => {}))
    throw error
  }
}

function refusedBy<P>(error: unknown, work: Work<P>): { refusal: Reply } {
  const refusal = work.keepRefusal(error)
  if (!refusal) throw error
  return { refusal }
}

type Lease = { claim: Buffer; claimedAt: Date }

/** Null when the claim is ours; otherwise waits for the reply of the request that has it. */
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
