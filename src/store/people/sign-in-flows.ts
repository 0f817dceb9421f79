import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type SignInFlow = {
  organizationId: string
  id: string
  connectionId: string
  nonce: string
  /** Sealed. */
  verifier: string
  next: string | null
}

type NewFlow = SignInFlow & { stateHash: Buffer; cookieHash: Buffer; expiresAt: Date }

export async function insertFlow(db: Db, it: NewFlow): Promise<void> {
  await sql`
    insert into sign_in_flow (organization_id, id, connection_id, state_hash, cookie_hash, nonce, verifier, next, expires_at)
    values (${it.organizationId}, ${it.id}, ${it.connectionId}, ${it.stateHash}, ${it.cookieHash}, ${it.nonce},
      ${it.verifier}, ${it.next}, ${it.expiresAt})`.execute(db)
}

type Proof = { organizationId: string; id: string; stateHash: Buffer; cookieHash: Buffer }

/** Only for the browser that began it, and only the first time. */
export async function takeFlow(db: Db, it: Proof, now: Date): Promise<SignInFlow | null> {
  const { rows } = await sql<SignInFlow>`
    delete from sign_in_flow where organization_id = ${it.organizationId} and id = ${it.id}
      and state_hash = ${it.stateHash} and cookie_hash = ${it.cookieHash} and expires_at > ${now}
    returning organization_id as "organizationId", id, connection_id as "connectionId", nonce, verifier, next`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function purgeFlows(db: Db, now: Date, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sign_in_flow where ctid = any (array(
      select ctid from sign_in_flow where expires_at < ${now} limit ${batch}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
