import { type Selectable, sql } from 'kysely'
import { uuid7 } from '../lib/uuid7.ts'
import type { Db, Env } from './database.ts'
import { pageOffset } from './page-offset.ts'
import type { Tables } from './schema.ts'

export type TenantRow = Selectable<Tables['tenant']>
/** Absent = unchanged, null = cleared. */
export type TenantPatch = { identifier?: string; name?: string | null; data?: Record<string, unknown> | null }

/** Null when the identifier is taken. */
export async function insertTenant(
  db: Db,
  env: Env,
  tenant: TenantPatch & { identifier: string },
  now: Date,
): Promise<TenantRow | null> {
  const row = await db
    .insertInto('tenant')
    .values({
      environment_id: env.environmentId,
      id: uuid7(now),
      identifier: tenant.identifier,
      name: tenant.name ?? null,
      data: tenant.data ? JSON.stringify(tenant.data) : null,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['environment_id', 'identifier']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

export async function findTenant(db: Db, env: Env, identifier: string): Promise<TenantRow | null> {
  const row = await db
    .selectFrom('tenant')
    .selectAll()
    .where('environment_id', '=', env.environmentId)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  return row ?? null
}

export async function updateTenant(
  db: Db,
  env: Env,
  identifier: string,
  patch: TenantPatch,
  now: Date,
): Promise<TenantRow | null> {
  const { data, ...plain } = patch
  const row = await db
    .updateTable('tenant')
    .set({ ...plain, ...(data !== undefined && { data: data && JSON.stringify(data) }), updated_at: now })
    .where('environment_id', '=', env.environmentId)
    .where('identifier', '=', identifier)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

export async function deleteTenant(db: Db, env: Env, identifier: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tenant')
    .where('environment_id', '=', env.environmentId)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Newest first, one more than asked, so that the caller sees whether there is more. */
export async function listTenants(
  db: Db,
  env: Env,
  { page, limit }: { page: number; limit: number },
): Promise<TenantRow[]> {
  const { rows } = await sql<TenantRow>`
    select * from tenant where environment_id = ${env.environmentId}
    order by id desc offset ${pageOffset(page, limit)} limit ${limit + 1}`.execute(db)
  return rows
}

/** Those of these identifiers that exist, by identifier. */
export async function findTenants(db: Db, env: Env, identifiers: readonly string[]): Promise<Map<string, TenantRow>> {
  if (identifiers.length === 0) return new Map()
  const { rows } = await sql<TenantRow>`
    select t.* from unnest(${[...new Set(identifiers)]}::text[]) as wanted (identifier)
    join tenant t on t.environment_id = ${env.environmentId} and t.identifier = wanted.identifier`.execute(db)
  return new Map(rows.map((row) => [row.identifier, row]))
}
