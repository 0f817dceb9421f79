import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

/** Where nobody chose one. */
export const firstDefaultLocale = 'en-US'

export type Edition = { number: number; defaultLocale: string }

/** The newest one; null: the environment has neither layouts nor translations. */
export async function currentEdition(db: Db, env: Env): Promise<Edition | null> {
  const { rows } = await sql<Edition>`
    select number, default_locale as "defaultLocale" from edition
    where environment_id = ${env.environmentId} order by number desc limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Begins an edition; everything that is changed in this transaction belongs to it. Two changes at once get two numbers,
 * and the higher one commits second: who sees an edition sees all before it.
 */
export async function nextEdition(db: Db, env: Env, now: Date, defaultLocale?: string): Promise<number> {
  for (;;) {
    // Waits for whoever took the same number, and then takes the one after it.
    const { rows } = await sql<{ number: number }>`
      insert into edition (environment_id, number, default_locale, created_at, created_by)
      select ${env.environmentId}, coalesce(max(number), 0) + 1,
        coalesce(${defaultLocale ?? null}, (array_agg(default_locale order by number desc))[1], ${firstDefaultLocale}),
        ${now}, nullif(${env.keyId}, '')::uuid
      from edition where environment_id = ${env.environmentId}
      on conflict do nothing returning number`.execute(db)
    if (rows[0]) return rows[0].number
  }
}

/** What was in force in an edition, without its contents. Deleted ones are left out. */
export type LayoutHead = { id: string; identifier: string; isDefault: boolean; edition: number }
export type TranslationHead = {
  resourceType: 'workflow' | 'layout'
  resourceId: string
  locale: string
  edition: number
}
export type Heads = {
  number: number
  defaultLocale: string
  layouts: readonly LayoutHead[]
  translations: readonly TranslationHead[]
}

export async function findHeads(db: Db, env: Pick<Env, 'environmentId'>, numbers: readonly number[]): Promise<Heads[]> {
  const { rows } = await sql<Heads>`
    select e.number, e.default_locale as "defaultLocale",
      coalesce((select jsonb_agg(jsonb_build_object('id', l.layout_id, 'identifier', l.identifier,
          'isDefault', l.is_default, 'edition', l.edition))
        from (select distinct on (v.layout_id) v.* from layout_version v
          where v.environment_id = e.environment_id and v.edition <= e.number
          order by v.layout_id, v.edition desc) l
        where l.definition is not null), '[]') as layouts,
      coalesce((select jsonb_agg(jsonb_build_object('resourceType', t.resource_type, 'resourceId', t.resource_id,
          'locale', t.locale, 'edition', t.edition))
        from (select distinct on (v.resource_type, v.resource_id, v.locale) v.resource_type, v.resource_id, v.locale,
            v.edition, v.content is not null as is_there
          from translation v
          where v.environment_id = e.environment_id and v.edition <= e.number
          order by v.resource_type, v.resource_id, v.locale, v.edition desc) t
        where t.is_there), '[]') as translations
    from unnest(${numbers}::int[]) as wanted (number)
    join edition e on e.environment_id = ${env.environmentId} and e.number = wanted.number`.execute(db)
  return rows
}

export type LayoutKey = { id: string; edition: number }
export type LayoutContent = LayoutKey & { definition: unknown }

export async function findLayoutVersions(
  db: Db,
  env: Pick<Env, 'environmentId'>,
  wanted: readonly LayoutKey[],
): Promise<LayoutContent[]> {
  const { rows } = await sql<LayoutContent>`
    select v.layout_id as id, v.edition, v.definition
    from unnest(${wanted.map((it) => it.id)}::uuid[], ${wanted.map((it) => it.edition)}::int[]) as wanted (id, edition)
    join layout_version v
      on v.environment_id = ${env.environmentId} and v.layout_id = wanted.id and v.edition = wanted.edition`.execute(db)
  return rows
}

export type TranslationContent = TranslationHead & { content: unknown }

export async function findTranslations(
  db: Db,
  env: Pick<Env, 'environmentId'>,
  wanted: readonly TranslationHead[],
): Promise<TranslationContent[]> {
  const { rows } = await sql<TranslationContent>`
    select t.resource_type as "resourceType", t.resource_id as "resourceId", t.locale, t.edition, t.content
    from unnest(${wanted.map((it) => it.resourceType)}::text[], ${wanted.map((it) => it.resourceId)}::uuid[],
      ${wanted.map((it) => it.locale)}::text[], ${wanted.map((it) => it.edition)}::int[])
      as wanted (resource_type, resource_id, locale, edition)
    join translation t on t.environment_id = ${env.environmentId} and t.resource_type = wanted.resource_type
      and t.resource_id = wanted.resource_id and t.locale = wanted.locale and t.edition = wanted.edition`.execute(db)
  return rows
}
