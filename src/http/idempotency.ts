import { sql } from 'kysely'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import { sha256 } from '../lib/seal.ts'
import { secretPlaces } from '../lib/secret-places.ts'
import { claimIdempotencyKey, findStoredReply, storeReply } from '../store/access/idempotency.ts'
import { type Db, type Env, lockNotAvailable, sqlState } from '../store/database.ts'

export type Reply = { status: number; body: string; replayed?: true }

export type Request = { key: string; method: string; path: string; requestHash: Buffer; now: Date }

type Work = {
  run(db: Db): Promise<Reply>
  /** The reply to keep for a refusal, or null for one that must not be kept (5xx, 401, 429 …). */
  keepRefusal(error: unknown): Reply | null
}

export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) throw new ApiError('invalid_idempotency_key')
  return header
}

/** Claim, work and reply are one transaction: a reply is kept exactly when its work was done. */
export async function runOnce(ctx: Ctx, env: Env, request: Request, work: Work): Promise<Reply> {
  const claim = claimOf(request)
  return ctx.database.write(env, async (db) => {
    const ours = await claimIdempotencyKey(db, env, { claim, ...request }).catch((error: unknown) => {
      throw sqlState(error) === lockNotAvailable ? new ApiError('request_in_flight', { retryAfterSeconds: 1 }) : error
    })
    if (!ours) return replay(ctx, env, db, claim, request.requestHash)
    const reply = await underSavepoint(db, work)
    await keepReply(ctx, db, env, claim, reply)
    return reply
  })
}

export function claimOf({ method, path, key }: Request): Buffer {
  return sha256(method, path, key)
}

export async function keepReply(ctx: Ctx, db: Db, env: Env, claim: Buffer, { status, body }: Reply): Promise<void> {
  const sealed = ctx.sealer.seal(secretPlaces.storedReply({ ...env, claim }), body)
  await storeReply(db, env, claim, { status, sealed })
}

export async function underSavepoint(db: Db, work: Work): Promise<Reply> {
  await sql`savepoint work`.execute(db)
  try {
    return await work.run(db)
  } catch (error) {
    const reply = work.keepRefusal(error)
    if (!reply) throw error
    await sql`rollback to savepoint work`.execute(db)
    return reply
  }
}

/** The stored reply of the request that has this claim; throws 409 while it still runs. */
export async function replay(ctx: Ctx, env: Env, db: Db, claim: Buffer, requestHash: Buffer): Promise<Reply> {
  const stored = await findStoredReply(db, env, claim)
  if (stored && !stored.requestHash.equals(requestHash)) {
    const messages = ['was used before with another body; use a new key for a new request']
    throw new ApiError('idempotency_key_reused', { errors: { 'idempotency-key': { messages } } })
  }
  if (!stored || stored.status === null || stored.reply === null) {
    throw new ApiError('request_in_flight', { retryAfterSeconds: 1 })
  }
  return {
    status: stored.status,
    body: ctx.sealer.open(secretPlaces.storedReply({ ...env, claim }), stored.reply),
    replayed: true,
  }
}
