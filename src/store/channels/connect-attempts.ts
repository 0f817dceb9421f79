import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

export type ConnectAttempt = { id: string; integrationId: string; wanted: unknown }

/** Also forgets those of the environment that nobody came back from. */
export async function insertConnectAttempt(
  db: Db,
  env: Env,
  attempt: ConnectAttempt & { secretHash: Buffer; expiresAt: Date },
  now: Date,
): Promise<void> {
  await sql`
    with old as (
      delete from connect_attempt where environment_id = ${env.environmentId} and id in (
        select id from connect_attempt where environment_id = ${env.environmentId} and expires_at <= ${now}
        order by expires_at limit 100 for update skip locked))
    insert into connect_attempt (environment_id, id, integration_id, secret_hash, wanted, expires_at)
    values (${env.environmentId}, ${attempt.id}, ${attempt.integrationId}, ${attempt.secretHash},
      ${JSON.stringify(attempt.wanted)}::jsonb, ${attempt.expiresAt})`.execute(db)
}

/** Once: a second call with the same secret finds nothing. */
export async function takeConnectAttempt(
  db: Db,
  env: Env,
  { id, secretHash, now }: { id: string; secretHash: Buffer; now: Date },
): Promise<ConnectAttempt | null> {
  const { rows } = await sql<ConnectAttempt>`
    delete from connect_attempt
    where environment_id = ${env.environmentId} and id = ${id} and secret_hash = ${secretHash} and expires_at > ${now}
    returning id, integration_id as "integrationId", wanted`.execute(db)
  return rows[0] ?? null
}
