import { type Selectable, sql } from 'kysely'
import type { Db, Env } from './database.ts'
import type { Tables } from './schema.ts'

type Table = Tables['integration']
export type IntegrationRow = Omit<Selectable<Table>, 'credentials' | 'configurations' | 'conditions'> & {
  /** Field → sealed JSON. */
  credentials: Record<string, string>
  configurations: Record<string, string>
  conditions: unknown[]
}

/** JSON columns as values; the statement turns them into text. */
export type IntegrationValues = Partial<Omit<IntegrationRow, 'environment_id' | 'id'>>

/**
 * One writer of integrations per environment at a time: which one is primary depends on all the others. The unique
 * indexes are the guard; the lock only saves normal requests from their errors.
 */
export async function lockIntegrations(db: Db, env: Env): Promise<void> {
  await sql`select 1 from environment where id = ${env.environmentId} for no key update`.execute(db)
}

/** Oldest first. */
export async function listIntegrations(db: Db, env: Env): Promise<IntegrationRow[]> {
  const { rows } = await sql<IntegrationRow>`
    select * from integration where environment_id = ${env.environmentId} and deleted_at is null order by id`.execute(
    db,
  )
  return rows
}

export async function findIntegration(db: Db, env: Env, id: string): Promise<IntegrationRow | null> {
  const { rows } = await sql<IntegrationRow>`
    select * from integration
    where environment_id = ${env.environmentId} and id = ${id} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function findIntegrationByIdentifier(
  db: Db,
  env: Env,
  identifier: string,
): Promise<IntegrationRow | null> {
  const { rows } = await sql<IntegrationRow>`
    select * from integration
    where environment_id = ${env.environmentId} and identifier = ${identifier} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function insertIntegration(
  db: Db,
  env: Env,
  row: IntegrationValues & Pick<IntegrationRow, 'id' | 'provider_id' | 'channel' | 'name' | 'identifier' | 'active'>,
): Promise<IntegrationRow> {
  return db
    .insertInto('integration')
    .values({ ...toColumns(row), environment_id: env.environmentId, deleted_at: null, deleted_by: null })
    .returningAll()
    .$castTo<IntegrationRow>()
    .executeTakeFirstOrThrow()
}

export async function updateIntegration(
  db: Db,
  env: Env,
  id: string,
  values: IntegrationValues,
): Promise<IntegrationRow> {
  return db
    .updateTable('integration')
    .set(toColumns(values))
    .where('environment_id', '=', env.environmentId)
    .where('id', '=', id)
    .returningAll()
    .$castTo<IntegrationRow>()
    .executeTakeFirstOrThrow()
}

/** Where a channel has active integrations and no primary, the oldest becomes it; those of `last` come after the others. */
export async function promoteOldest(db: Db, env: Env, channel: string, last: readonly string[]): Promise<void> {
  await sql`
    update integration set is_primary = true
    where environment_id = ${env.environmentId} and id = (
      select id from integration
      where environment_id = ${env.environmentId} and channel = ${channel} and active and deleted_at is null
        and channel in ('email', 'sms')
      order by is_primary desc, provider_id = any(${last}), id limit 1)
      and not is_primary`.execute(db)
}

export async function clearPrimary(db: Db, env: Env, channel: string): Promise<void> {
  await sql`
    update integration set is_primary = false
    where environment_id = ${env.environmentId} and channel = ${channel} and is_primary`.execute(db)
}

function toColumns<V extends IntegrationValues>({ credentials, configurations, conditions, ...plain }: V) {
  return {
    ...plain,
    ...(credentials && { credentials: JSON.stringify(credentials) }),
    ...(configurations && { configurations: JSON.stringify(configurations) }),
    ...(conditions && { conditions: JSON.stringify(conditions) }),
  }
}
