import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { named } from '../rows/named-statements.ts'
import { enterLoops } from './enter-loops.ts'

export type StoredReply = { requestHash: Buffer; status: number | null; reply: string | null }

const keptFor = sql.lit('24 hours')

/**
 * True: the key is ours, for good once this transaction commits. False: another request has it. While that one runs we
 * wait for it; after `lock_timeout` that is an error.
 */
export async function claimIdempotencyKey(
  db: Db,
  env: Env,
  claim: { claim: Buffer; requestHash: Buffer; now: Date },
): Promise<boolean> {
  await sql`set local lock_timeout = '5s'`.execute(db)
  const { rows } = await sql`${named}
    insert into idempotency as known (environment_id, claim, request_hash, claimed_at)
    values (${env.environmentId}, ${claim.claim}, ${claim.requestHash}, ${claim.now})
    on conflict (environment_id, claim) do update
      set request_hash = excluded.request_hash, claimed_at = excluded.claimed_at, status = null, reply = null,
        leased_until = null
      where known.claimed_at < excluded.claimed_at - interval ${keptFor}
    returning true`.execute(db)
  await sql`set local lock_timeout = 0`.execute(db)
  return rows.length > 0
}

/** `claimedAt` distinguishes this holder from one that took over after the lease had run out. */
export type Lease = { claim: Buffer; claimedAt: Date }

/** True: ours, once committed, until we store a reply or the lease runs out. Only the same body takes a lease over. */
export async function claimLease(
  db: Db,
  env: Env,
  { claim, claimedAt, leasedUntil, requestHash }: Lease & { leasedUntil: Date; requestHash: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency as known (environment_id, claim, request_hash, claimed_at, leased_until)
    values (${env.environmentId}, ${claim}, ${requestHash}, ${claimedAt}, ${leasedUntil})
    on conflict (environment_id, claim) do update
      set request_hash = excluded.request_hash, claimed_at = excluded.claimed_at, leased_until = excluded.leased_until,
        status = null, reply = null
      where known.claimed_at < excluded.claimed_at - interval ${keptFor}
        or (known.status is null and known.leased_until < excluded.claimed_at
          and known.request_hash = excluded.request_hash)
    returning true`.execute(db)
  return rows.length > 0
}

/** True when we still hold the claim; we then keep it until this transaction ends. */
export async function lockLease(db: Db, env: Env, { claim, claimedAt }: Lease): Promise<boolean> {
  const { rows } = await sql`
    select 1 from idempotency where environment_id = ${env.environmentId} and claim = ${claim}
      and claimed_at = ${claimedAt} and status is null for update`.execute(db)
  return rows.length > 0
}

export async function releaseLease(db: Db, env: Env, { claim, claimedAt }: Lease): Promise<void> {
  await sql`
    delete from idempotency where environment_id = ${env.environmentId} and claim = ${claim}
      and claimed_at = ${claimedAt} and status is null`.execute(db)
}

export async function findStoredReply(db: Db, env: Env, claim: Buffer): Promise<StoredReply | null> {
  const row = await db
    .selectFrom('idempotency')
    .select(['request_hash as requestHash', 'status', 'reply'])
    .where('environment_id', '=', env.environmentId)
    .where('claim', '=', claim)
    .executeTakeFirst()
  return row ?? null
}

export async function storeReply(
  db: Db,
  env: Env,
  claim: Buffer,
  reply: { status: number; sealed: string },
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ status: reply.status, reply: reply.sealed })
    .where('environment_id', '=', env.environmentId)
    .where('claim', '=', claim)
    .execute()
}

/** Deletes a batch of expired rows; returns how many. */
export async function purgeIdempotency(db: Db, now: Date, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency where ctid = any (array(
      select ctid from idempotency where claimed_at < ${now}::timestamptz - interval ${keptFor}
        and environment_id <> all (${enterLoops})
      order by claimed_at limit ${batch} for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
