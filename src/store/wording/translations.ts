import { sql } from 'kysely'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'

export type ResourceType = 'workflow' | 'layout'
/** What has translations. `edition`: of a layout, its newest version. */
export type Resource = { type: ResourceType; id: string; identifier: string; name: string; edition: number | null }

/** By identifier or id; `locks`: until the transaction ends, because its languages are counted. */
export async function findResource(
  db: Db,
  env: Env,
  type: ResourceType,
  ref: string,
  { locks = false } = {},
): Promise<Resource | null> {
  const id = isUuid7(ref) ? ref : null
  const columns = type === 'workflow' ? sql`null::int as edition` : sql`edition`
  const { rows } = await sql<Resource>`
    select ${type} as type, id, identifier, name, ${columns} from ${sql.table(type)}
    where environment_id = ${env.environmentId} and deleted_at is null and (identifier = ${ref} or id = ${id}::uuid)
    order by identifier = ${ref} desc limit 1 ${locks ? sql`for no key update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** By identifier, locked in the order in which `apply` locks them. */
export async function lockResources(
  db: Db,
  env: Env,
  type: ResourceType,
  identifiers: readonly string[],
): Promise<Resource[]> {
  const columns = type === 'workflow' ? sql`null::int as edition` : sql`r.edition`
  const { rows } = await sql<Resource>`
    select ${type} as type, r.id, r.identifier, r.name, ${columns}
    from unnest(${identifiers}::text[]) as wanted (identifier)
    join ${sql.table(type)} r
      on r.environment_id = ${env.environmentId} and r.identifier = wanted.identifier and r.deleted_at is null
    order by r.identifier collate "C" for no key update of r`.execute(db)
  return rows
}

/** As it is now. */
export type TranslationRow = {
  resourceType: ResourceType
  resourceId: string
  locale: string
  content: Record<string, unknown>
  createdAt: Date
  updatedAt: Date
}

/** By language. */
export async function listTranslations(
  db: Db,
  env: Env,
  resources: readonly Pick<Resource, 'type' | 'id'>[],
): Promise<TranslationRow[]> {
  const { rows } = await sql<TranslationRow>`
    select * from (
      select distinct on (t.resource_type, t.resource_id, t.locale) t.resource_type as "resourceType",
        t.resource_id as "resourceId", t.locale, t.content, t.created_at as "updatedAt",
        min(t.created_at) over (partition by t.resource_type, t.resource_id, t.locale) as "createdAt"
      from unnest(${resources.map((it) => it.type)}::text[], ${resources.map((it) => it.id)}::uuid[]) as wanted (type, id)
      join translation t on t.environment_id = ${env.environmentId} and t.resource_type = wanted.type
        and t.resource_id = wanted.id
      order by t.resource_type, t.resource_id, t.locale, t.edition desc) newest
    where content is not null order by "resourceType", "resourceId", locale`.execute(db)
  return rows
}

/** What of one language exists, by the identifiers of workflows and layouts that are there. */
export async function listTranslationsOf(
  db: Db,
  env: Env,
  locale: string,
): Promise<{ type: ResourceType; identifier: string; content: Record<string, unknown> }[]> {
  const newest = (type: ResourceType) => sql`
    select ${type} as type, r.identifier, t.content from ${sql.table(type)} r
    cross join lateral (
      select content from translation t
      where t.environment_id = r.environment_id and t.resource_type = ${type} and t.resource_id = r.id
        and t.locale = ${locale} order by t.edition desc limit 1) t
    where r.environment_id = ${env.environmentId} and r.deleted_at is null and t.content is not null`
  const { rows } = await sql<{ type: ResourceType; identifier: string; content: Record<string, unknown> }>`
    select * from (${newest('workflow')} union all ${newest('layout')}) found order by type, identifier`.execute(db)
  return rows
}

/** `content`: JSON; null deletes it. */
export type NewTranslation = {
  resourceType: ResourceType
  resourceId: string
  locale: string
  content: string | null
}

export async function insertTranslations(
  db: Db,
  env: Env,
  edition: number,
  rows: readonly NewTranslation[],
  now: Date,
): Promise<void> {
  await sql`
    insert into translation (environment_id, resource_type, resource_id, locale, edition, content, created_at, created_by)
    select ${env.environmentId}, type, id, locale, ${edition}, content::jsonb, ${now}, nullif(${env.keyId}, '')::uuid
    from unnest(${rows.map((it) => it.resourceType)}::text[], ${rows.map((it) => it.resourceId)}::uuid[],
      ${rows.map((it) => it.locale)}::text[],
      ${rows.map((it) => it.content)}::text[])
      as given (type, id, locale, content)`.execute(db)
}
