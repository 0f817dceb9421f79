import { type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Tables } from '../schema.ts'
import type { Scope } from './grants.ts'

/** What a key, and who signs in with it, can get at: its environment, or all of its organization. */
export const reaches = ['environment', 'organization'] as const
export type Reach = (typeof reaches)[number]

export type FoundApiKey = {
  environmentId: string
  organizationId: string
  secretHash: Buffer
  revoked: boolean
  reach: Reach
  scope: Scope
  expiresAt: Date | null
  name: string
}

/** The environment is not known yet, so an SQL function looks in all of them (see the migration). */
export async function findApiKey(db: Db, keyId: string): Promise<FoundApiKey | null> {
  const { rows } = await sql<FoundApiKey>`
    select environment_id as "environmentId", organization_id as "organizationId", secret_hash as "secretHash", revoked,
      reach, scope, expires_at as "expiresAt", name
    from find_api_key(${keyId})`.execute(db)
  return rows[0] ?? null
}

export async function insertApiKey(
  db: Db,
  key: {
    environmentId: string
    id: string
    name: string
    secretHash: Buffer
    /** Null: it is sealed when the key is used first. */
    sealedText: string | null
    bootstrap?: boolean
    reach?: Reach
    scope?: Scope
    expiresAt?: Date | null
    note?: string | null
  },
): Promise<void> {
  await db
    .insertInto('api_key')
    .values({
      environment_id: key.environmentId,
      id: key.id,
      name: key.name,
      secret_hash: key.secretHash,
      sealed_text: key.sealedText,
      bootstrap: key.bootstrap ?? false,
      reach: key.reach ?? 'environment',
      scope: key.scope ?? 'everything',
      expires_at: key.expiresAt ?? null,
      note: key.note ?? null,
      revoked_at: null,
      last_used_at: null,
    })
    .execute()
}

export type ApiKeyRow = Omit<Selectable<Tables['api_key']>, 'secret_hash' | 'sealed_text' | 'scope' | 'reach'> & {
  scope: Scope
  reach: Reach
}

export async function listApiKeys(db: Db, environmentId: string | undefined): Promise<ApiKeyRow[]> {
  const rows = await db
    .selectFrom('api_key')
    .select([
      'environment_id',
      'id',
      'name',
      'bootstrap',
      'reach',
      'scope',
      'expires_at',
      'note',
      'revoked_at',
      'last_used_at',
    ])
    .$if(environmentId !== undefined, (query) => query.where('environment_id', '=', environmentId ?? ''))
    .orderBy('environment_id')
    .orderBy('id')
    .execute()
  // The table's checks hold what the columns may say.
  return rows as ApiKeyRow[]
}

/** Not before `since`, when another node has just written it. Keeps the text of a key that was made before we kept it. */
export async function markApiKeyUsed(
  db: Db,
  env: Env,
  { now, since, sealedText }: { now: Date; since: Date; sealedText: string },
): Promise<void> {
  await sql`
    update api_key set last_used_at = ${now}, sealed_text = coalesce(sealed_text, ${sealedText})
    where environment_id = ${env.environmentId} and id = ${env.keyId}
      and (last_used_at is null or last_used_at < ${since} or sealed_text is null)`.execute(db)
}

/** The live keys that may vouch for people of inboxes, with their sealed text where it is known. */
export async function listVouchingKeys(
  db: Db,
  env: Env,
  now: Date,
): Promise<{ id: string; sealedText: string | null }[]> {
  const { rows } = await sql<{ id: string; sealedText: string | null }>`
    select id, sealed_text as "sealedText" from api_key
    where environment_id = ${env.environmentId} and revoked_at is null and scope in ('everything', 'inbox')
      and (expires_at is null or expires_at > ${now})
    order by id`.execute(db)
  return rows
}

export async function revokeApiKey(db: Db, keyId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** One transaction at a time counts and changes the keys of an environment. */
export async function lockApiKeys(db: Db, env: Env): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api_key ${env.environmentId}`}, 0))`.execute(db)
}

export async function revokeApiKeyOf(db: Db, env: Env, id: string, now: Date): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('environment_id', '=', env.environmentId)
    .where('id', '=', id)
    .execute()
}

/** Keys that the operator made up: found by their hash, because their text holds no id. */
export async function listBootstrapKeys(db: Db): Promise<{ id: string; hash: Buffer }[]> {
  const { rows } = await sql<{ id: string; hash: Buffer }>`
    select id, secret_hash as hash from list_bootstrap_keys()`.execute(db)
  return rows
}

export async function findBootstrapKey(db: Db, environmentId: string, secretHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('api_key')
    .select('id')
    .where('environment_id', '=', environmentId)
    .where('bootstrap', '=', true)
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function revokeBootstrapKeys(db: Db, environmentId: string, now: Date): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('environment_id', '=', environmentId)
    .where('bootstrap', '=', true)
    .where('revoked_at', 'is', null)
    .execute()
}
