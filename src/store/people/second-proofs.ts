import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** `secret` is sealed. It counts once it is confirmed. */
export type TotpSecret = { secret: string; confirmedAt: Date | null }

export async function findTotpSecret(db: Db, personId: string): Promise<TotpSecret | null> {
  const { rows } = await sql<TotpSecret>`
    select totp_secret as secret, totp_confirmed_at as "confirmedAt" from person
    where id = ${personId} and totp_secret is not null`.execute(db)
  return rows[0] ?? null
}

/** False: a confirmed one is there. */
export async function beginTotp(db: Db, personId: string, secret: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update person set totp_secret = ${secret}, totp_last_step = null, updated_at = ${now}
    where id = ${personId} and totp_confirmed_at is null returning id`.execute(db)
  return rows.length > 0
}

/** From now on it counts. False: another one was begun meanwhile, or one is confirmed already. */
export async function confirmTotp(
  db: Db,
  personId: string,
  { secret, step }: { secret: string; step: number },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update person set totp_confirmed_at = ${now}, totp_last_step = ${step}, updated_at = ${now}
    where id = ${personId} and totp_confirmed_at is null and totp_secret = ${secret} returning id`.execute(db)
  return rows.length > 0
}

/** True for the first who shows the code of this step, and only if no later one was shown. */
export async function takeTotpStep(
  db: Db,
  personId: string,
  { confirmedAt, step }: { confirmedAt: Date; step: number },
): Promise<boolean> {
  const { rows } = await sql`
    update person set totp_last_step = ${step}
    where id = ${personId} and totp_confirmed_at = ${confirmedAt} and coalesce(totp_last_step, -1) < ${step}
    returning id`.execute(db)
  return rows.length > 0
}

/** With the recovery codes. False: there was none. */
export async function removeTotp(db: Db, personId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with codes as (delete from recovery_code where person_id = ${personId})
    update person set totp_secret = null, totp_confirmed_at = null, totp_last_step = null, updated_at = ${now}
    where id = ${personId} and totp_confirmed_at is not null returning id`.execute(db)
  return rows.length > 0
}

/** In the place of those before. */
export async function setRecoveryCodes(db: Db, personId: string, hashes: readonly Buffer[]): Promise<void> {
  await sql`delete from recovery_code where person_id = ${personId}`.execute(db)
  await sql`
    insert into recovery_code (person_id, code_hash)
    select ${personId}, hash from unnest(${hashes}::bytea[]) hash`.execute(db)
}

/** True only for the first use. */
export async function takeRecoveryCode(db: Db, personId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_code where person_id = ${personId} and code_hash = ${hash} returning person_id`.execute(db)
  return rows.length > 0
}

export async function countRecoveryCodes(db: Db, personId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from recovery_code where person_id = ${personId}`.execute(db)
  return rows[0]?.n ?? 0
}
