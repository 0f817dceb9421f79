import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

/** True for the first call with this token, false for every later one. It counts with the transaction it is in. */
export async function claimCallbackToken(
  db: Db,
  env: Env,
  token: { integrationId: string; digest: Buffer; expiresAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into callback_token (environment_id, integration_id, digest, expires_at)
    values (${env.environmentId}, ${token.integrationId}, ${token.digest}, ${token.expiresAt})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

/** Of all environments. */
export async function purgeCallbackTokens(db: Db, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ purged: number }>`select purge_callback_tokens(${now}, ${limit}) as purged`.execute(db)
  return rows[0]?.purged ?? 0
}
