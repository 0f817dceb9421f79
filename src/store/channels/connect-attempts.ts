import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

export type ConnectAttempt = { id: string; integrationId: string; wanted: unknown }

/** Also forgets those of the environment that nobody came back from. */
export async function insertConnectAttempt(
  db: Db,
  env: Env,
  attempt: ConnectAttempt & { subscriberId: string | null; secretHash: Buffer; expiresAt: Date },
  now: Date,
): Promise<void> {
  await sql`
    with old as (
      delete from connect_attempt where environment_id = ${env.environmentId} and id in (
        select id from connect_attempt where environment_id = ${env.environmentId} and expires_at <= ${now}
        order by expires_at limit 100 for update skip locked))
    insert into connect_attempt (environment_id, id, integration_id, subscriber_id, secret_hash, wanted, expires_at)
    values (${env.environmentId}, ${attempt.id}, ${attempt.integrationId}, ${attempt.subscriberId},
      ${attempt.secretHash},      ${JSON.stringify(attempt.wanted)}::jsonb, ${attempt.expiresAt})`.execute(db)
}

/** Once: a second call with the same secret finds nothing. */
export async function takeConnectAttempt(
  db: Db,
  env: Env,
  { id, integrationId, secretHash, now }: { id: string; integrationId?: string; secretHash: Buffer; now: Date },
): Promise<ConnectAttempt | null> {
  const ofIntegration = integrationId === undefined ? sql`` : sql`and integration_id = ${integrationId}`
  const { rows } = await sql<ConnectAttempt>`
    delete from connect_attempt
    where environment_id = ${env.environmentId} and id = ${id} and secret_hash = ${secretHash} and expires_at > ${now}
      ${ofIntegration}
    returning id, integration_id as "integrationId", wanted`.execute(db)
  return rows[0] ?? null
}
