import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Reach } from './api-keys.ts'
import type { Scope } from './grants.ts'

export type FoundSession = {
  id: string
  tokenHash: Buffer
  apiKeyId: string | null
  expiresAt: Date
  /** Signed out, or its key was revoked. */
  ended: boolean
  reach: Reach
  scope: Scope
  keyName: string | null
  environmentId: string
  organizationId: string
  /** Null where row-level security hides the organization. */
  organizationName: string | null
}

type NewToken = { id: string; tokenHash: Buffer; expiresAt: Date }

/** Rows are deleted this long after they expire. */
const keepMs = 24 * 60 * 60 * 1000

export async function insertSession(
  db: Db,
  env: Env,
  session: NewToken & { apiKeyId: string | null },
  now: Date,
): Promise<void> {
  await sql`
    with purged as (
      delete from session
      where environment_id = ${env.environmentId} and expires_at < ${new Date(now.getTime() - keepMs)})
    insert into session (environment_id, id, token_hash, api_key_id, expires_at)
    values (${env.environmentId}, ${session.id}, ${session.tokenHash}, ${session.apiKeyId}, ${session.expiresAt})`.execute(
    db,
  )
}

export async function findSession(db: Db, env: Env, id: string, now: Date): Promise<FoundSession | null> {
  const { rows } = await sql<FoundSession>`
    select s.id, s.token_hash as "tokenHash", s.api_key_id as "apiKeyId", s.expires_at as "expiresAt",
      s.ended_at is not null or k.revoked_at is not null or coalesce(k.expires_at <= ${now}, false) as ended,
      -- A link is handed to whoever runs the service.
      coalesce(k.reach, 'organization') as reach, coalesce(k.scope, 'everything') as scope, k.name as "keyName",
      e.id as "environmentId", e.organization_id as "organizationId", o.name as "organizationName"
    from session s
    join environment e on e.id = s.environment_id
    left join organization o on o.id = e.organization_id
    left join api_key k on k.environment_id = s.environment_id and k.id = s.api_key_id
    where s.environment_id = ${env.environmentId} and s.id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function endSession(db: Db, env: Env, id: string, now: Date): Promise<void> {
  await sql`
    update session set ended_at = ${now}
    where environment_id = ${env.environmentId} and id = ${id} and ended_at is null`.execute(db)
}

export async function insertSignInLink(db: Db, env: Env, link: NewToken, now: Date): Promise<void> {
  await sql`
    with purged as (
      delete from sign_in_link
      where environment_id = ${env.environmentId} and expires_at < ${new Date(now.getTime() - keepMs)})
    insert into sign_in_link (environment_id, id, token_hash, expires_at)
    values (${env.environmentId}, ${link.id}, ${link.tokenHash}, ${link.expiresAt})`.execute(db)
}

/** True only for the first use, before it expires. */
export async function takeSignInLink(
  db: Db,
  env: Env,
  link: { id: string; tokenHash: Buffer },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update sign_in_link set used_at = ${now}
    where environment_id = ${env.environmentId} and id = ${link.id} and token_hash = ${link.tokenHash}
      and used_at is null and expires_at > ${now}
    returning id`.execute(db)
  return rows.length > 0
}
