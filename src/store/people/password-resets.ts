import { sql } from 'kysely'
import type { Db } from '../database.ts'

type NewReset = { personId: string; id: string; tokenHash: Buffer; expiresAt: Date }

/** In the place of those before: their links open nothing any more. */
export async function insertReset(db: Db, it: NewReset): Promise<void> {
  await voidResets(db, it.personId)
  await sql`
    insert into password_reset (person_id, id, token_hash, expires_at)
    values (${it.personId}, ${it.id}, ${it.tokenHash}, ${it.expiresAt})`.execute(db)
}

type Token = { personId: string; id: string; tokenHash: Buffer }

export async function isOpenReset(db: Db, token: Token, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from password_reset where person_id = ${token.personId} and id = ${token.id}
      and token_hash = ${token.tokenHash} and expires_at > ${now}`.execute(db)
  return rows.length > 0
}

/** True only for the first who uses it. */
export async function takeReset(db: Db, token: Token, now: Date): Promise<boolean> {
  const { rows } = await sql`
    delete from password_reset where person_id = ${token.personId} and id = ${token.id}
      and token_hash = ${token.tokenHash} and expires_at > ${now} returning id`.execute(db)
  return rows.length > 0
}

/** Also within a transaction of one organization. */
export async function voidResets(db: Db, personId: string): Promise<void> {
  await sql`select void_resets(${personId})`.execute(db)
}

export async function purgeResets(db: Db, now: Date, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from password_reset where ctid = any (array(
      select ctid from password_reset where expires_at < ${now} limit ${batch}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
