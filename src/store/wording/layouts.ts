import { sql } from 'kysely'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import { containing } from '../subscribers.ts'

/** A layout as it is now. `definition`: of its newest version. */
export type LayoutRow = {
  id: string
  identifier: string
  name: string
  isDefault: boolean
  edition: number
  updatedAt: Date
  updatedBy: string | null
  definition: unknown
}

const columns = sql`l.id, l.identifier, l.name, l.is_default as "isDefault", l.edition, l.updated_at as "updatedAt",
  l.updated_by as "updatedBy", v.definition`
const current = sql`layout l join layout_version v
  on v.environment_id = l.environment_id and v.layout_id = l.id and v.edition = l.edition`

/** Until the transaction ends nobody else changes layouts of this environment. */
export async function lockLayouts(db: Db, env: Env): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`layout ${env.environmentId}`}, 0))`.execute(db)
}

/** By identifier or id; the identifier wins. */
export async function findLayout(db: Db, env: Env, ref: string): Promise<LayoutRow | null> {
  const { rows } = await sql<LayoutRow>`
    select ${columns} from ${current}
    where l.environment_id = ${env.environmentId} and l.deleted_at is null
      and (l.identifier = ${ref} or l.id = ${isUuid7(ref) ? ref : null}::uuid)
    order by l.identifier = ${ref} desc limit 1`.execute(db)
  return rows[0] ?? null
}

export async function findDefaultLayout(db: Db, env: Env): Promise<LayoutRow | null> {
  const { rows } = await sql<LayoutRow>`
    select ${columns} from ${current}
    where l.environment_id = ${env.environmentId} and l.deleted_at is null and l.is_default`.execute(db)
  return rows[0] ?? null
}

/** Of those that are there. */
export async function listLayoutIdentifiers(db: Db, env: Env): Promise<string[]> {
  const { rows } = await sql<{ identifier: string }>`
    select identifier from layout where environment_id = ${env.environmentId} and deleted_at is null`.execute(db)
  return rows.map(({ identifier }) => identifier)
}

export type LayoutFilter = {
  query?: string
  orderBy: 'createdAt' | 'updatedAt' | 'name'
  isDescending: boolean
  limit: number
  offset: number
}

/** Without the templates that were made of them. */
export async function listLayouts(
  db: Db,
  env: Env,
  { query, orderBy, isDescending, limit, offset }: LayoutFilter,
): Promise<{ rows: LayoutRow[]; totalCount: number }> {
  const order = { createdAt: sql`l.id`, updatedAt: sql`l.updated_at`, name: sql`l.name` }[orderBy]
  const direction = isDescending ? sql`desc` : sql`asc`
  const filter =
    query === undefined ? sql`` : sql`and (l.name like ${containing(query)} or l.identifier like ${containing(query)})`
  const scope = sql`l.environment_id = ${env.environmentId} and l.deleted_at is null ${filter}`
  const { rows } = await sql<LayoutRow>`
    select ${columns} from ${current} where ${scope}
    order by ${order} ${direction}, l.id ${direction} limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ n: number }>`select count(*)::int as n from layout l where ${scope}`.execute(db)
  return { rows, totalCount: counted.rows[0]?.n ?? 0 }
}

/** Those of them that exist. They cannot be deleted until the transaction ends, but changed. */
export async function holdLayouts(db: Db, env: Env, identifiers: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ identifier: string }>`
    select l.identifier from unnest(${identifiers}::text[]) as wanted (identifier)
    join layout l on l.environment_id = ${env.environmentId} and l.identifier = wanted.identifier and l.deleted_at is null
    order by l.id for key share of l`.execute(db)
  return rows.map(({ identifier }) => identifier)
}

/** Waits for those who hold it, and keeps others from it. */
export async function lockForDeletion(db: Db, env: Env, id: string): Promise<void> {
  await sql`select 1 from layout where environment_id = ${env.environmentId} and id = ${id} for update`.execute(db)
}

/** `definition`: JSON; null: it is deleted. */
export type LayoutVersion = {
  id: string
  identifier: string
  name: string
  isDefault: boolean
  definition: string | null
}

/** Writes versions, and the layouts as they are from then on. Who ceases to be the default does so first. */
export async function saveLayoutVersions(
  db: Db,
  env: Env,
  edition: number,
  rows: readonly LayoutVersion[],
  now: Date,
): Promise<void> {
  const given = sql`
    unnest(${rows.map((it) => it.id)}::uuid[], ${rows.map((it) => it.identifier)}::text[],
      ${rows.map((it) => it.name)}::text[], ${rows.map((it) => it.isDefault)}::boolean[],
      ${rows.map((it) => it.definition !== null)}::boolean[]) as g (id, identifier, name, is_default, is_there)`
  await sql`
    insert into layout (environment_id, id, identifier, name, is_default, edition, created_by, updated_by, updated_at, deleted_at)
    select ${env.environmentId}, g.id, g.identifier, g.name, g.is_default, ${edition}, nullif(${env.keyId}, '')::uuid,
      nullif(${env.keyId}, '')::uuid, ${now}, case when not g.is_there then ${now}::timestamptz end
    from ${given} order by g.is_default, g.id
    on conflict (environment_id, id) do update set name = excluded.name, is_default = excluded.is_default,
      edition = excluded.edition, updated_by = excluded.updated_by, updated_at = excluded.updated_at,
      deleted_at = excluded.deleted_at`.execute(db)
  await sql`
    insert into layout_version (environment_id, layout_id, edition, identifier, is_default, definition, created_at, created_by)
    select ${env.environmentId}, g.id, ${edition}, g.identifier, g.is_default, g.definition::jsonb, ${now},
      nullif(${env.keyId}, '')::uuid
    from unnest(${rows.map((it) => it.id)}::uuid[], ${rows.map((it) => it.identifier)}::text[],
      ${rows.map((it) => it.isDefault)}::boolean[], ${rows.map((it) => it.definition)}::text[])
      as g (id, identifier, is_default, definition)`.execute(db)
}

export type LayoutUser = { name: string; workflowId: string }

/**
 * The workflows whose newest version names it in an e-mail or a variant of one. `isDefault`: also those with an e-mail
 * that names none.
 */
export async function listLayoutUsers(
  db: Db,
  env: Env,
  { identifier, isDefault }: { identifier: string; isDefault: boolean },
): Promise<LayoutUser[]> {
  const { rows } = await sql<LayoutUser>`
    select w.name, w.identifier as "workflowId" from workflow w
    join workflow_version v on v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = w.version
    where w.environment_id = ${env.environmentId} and w.deleted_at is null and jsonb_path_exists(v.definition,
      '$.steps[*] ? (@.type == "email") ? (
        @.controlValues.layoutId == $id || exists (@.variants[*] ? (@.controlValues.layoutId == $id))
        || ($isDefault == true && (!exists (@.controlValues.layoutId)
          || exists (@.variants[*] ? (!exists (@.controlValues.layoutId))))))',
      jsonb_build_object('id', ${identifier}::text, 'isDefault', ${isDefault}::boolean))
    order by w.identifier`.execute(db)
  return rows
}
