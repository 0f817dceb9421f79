import { sql } from 'kysely'
import { chunks } from '../../lib/chunks.ts'
import type { Db, Env } from '../database.ts'
import { firstDefaultLocale } from '../wording/editions.ts'
import type { ResourceType } from '../wording/translations.ts'

/** A workflow as it is at one moment: its id, version, and whether it is switched on. */
export type ManifestEntry = readonly [id: string, version: number, active: boolean]

/** All that is in force at one moment, by numbers whose contents never change. An edition names layouts and words. */
export type Manifest = { workflows: readonly ManifestEntry[]; edition: number | null }

type Head = {
  id: string
  /** The same for the same content, in any environment. */
  hash: string
  /** In characters, as JSON. */
  size: number
  updatedAt: Date | null
  /** The id of who made it, as far as it is known. */
  updatedBy: string | null
}

export type WorkflowHead = Head & {
  kind: 'workflow'
  identifier: string
  name: string
  version: number
  active: boolean
  /** That its e-mails name. */
  layouts: readonly string[]
  /** An e-mail of it names no layout. */
  usesDefault: boolean
  /** The types of its active steps. */
  stepTypes: readonly string[]
}
export type LayoutHead = Head & {
  kind: 'layout'
  identifier: string
  name: string
  edition: number
  isDefault: boolean
}
/** The words of a workflow or layout (`id`) in one language. */
export type WordsHead = Head & {
  kind: 'translation'
  owner: ResourceType
  ownerIdentifier: string
  ownerName: string
  locale: string
  edition: number
}

/** What an environment holds at one moment, without the contents. */
export type Side = {
  manifest: Manifest
  defaultLocale: string
  workflows: readonly WorkflowHead[]
  layouts: readonly LayoutHead[]
  words: readonly WordsHead[]
}

/** One statement, so that it is what was in force at one moment: no publication is half in it. */
export async function currentManifest(db: Db, env: Env): Promise<Manifest> {
  const { rows } = await sql<Manifest>`
    select (select max(number) from edition where environment_id = ${env.environmentId}) as edition,
      coalesce(jsonb_agg(jsonb_build_array(w.id, w.version, w.active) order by w.id), '[]') as workflows
    from workflow w where w.environment_id = ${env.environmentId} and w.deleted_at is null`.execute(db)
  return rows[0] ?? { workflows: [], edition: null }
}

export async function loadSide(db: Db, env: Env, manifest: Manifest): Promise<Side> {
  const workflows = await inPortions(manifest.workflows, (entries) => findWorkflowHeads(db, env, entries))
  const { edition } = manifest
  if (edition === null) return { manifest, defaultLocale: firstDefaultLocale, workflows, layouts: [], words: [] }
  const layouts = await findLayoutHeads(db, env, edition)
  const words = await inPortions([...workflows, ...layouts], (owners) => findWordsHeads(db, env, edition, owners))
  return { manifest, defaultLocale: await findDefaultLocale(db, env, edition), workflows, layouts, words }
}

// Each may have a megabyte to be hashed: no statement is to last as long as would end it.
const portion = 100

/** What is named by a version or an edition never changes, so it need not be read at once. */
async function inPortions<T, R>(items: readonly T[], find: (items: readonly T[]) => Promise<R[]>): Promise<R[]> {
  const found: R[] = []
  for (const some of chunks(items, portion)) found.push(...(await find(some)))
  return found
}

async function findWorkflowHeads(db: Db, env: Env, entries: readonly ManifestEntry[]): Promise<WorkflowHead[]> {
  const { rows } = await sql<WorkflowHead>`
    select 'workflow' as kind, w.id, w.identifier, v.definition ->> 'name' as name, v.version, wanted.active,
      content_hash(workflow_content(v.definition)) as hash, length(v.definition::text) as size,
      coalesce(v.created_at, w.updated_at) as "updatedAt", v.created_by as "updatedBy",
      array(select distinct l #>> '{}' from (
        select jsonb_path_query(v.definition, '$.steps[*] ? (@.type == "email").controlValues.layoutId') as l
        union all
        select jsonb_path_query(v.definition, '$.steps[*] ? (@.type == "email").variants[*].controlValues.layoutId')
      ) named where jsonb_typeof(l) = 'string') as layouts,
      jsonb_path_exists(v.definition, '$.steps[*] ? (@.type == "email") ? (!exists (@.controlValues.layoutId)
        || exists (@.variants[*] ? (!exists (@.controlValues.layoutId))))') as "usesDefault",
      array(select distinct t #>> '{}' from
        jsonb_path_query(v.definition, '$.steps[*] ? (@.active == true).type') as t) as "stepTypes"
    from unnest(${entries.map(([id]) => id)}::uuid[], ${entries.map(([, version]) => version)}::int[],
      ${entries.map(([, , active]) => active)}::boolean[]) as wanted (id, version, active)
    join workflow w on w.environment_id = ${env.environmentId} and w.id = wanted.id
    join workflow_version v
      on v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = wanted.version
    order by w.identifier collate "C"`.execute(db)
  return rows
}

async function findLayoutHeads(db: Db, env: Env, edition: number): Promise<LayoutHead[]> {
  const { rows } = await sql<LayoutHead>`
    select 'layout' as kind, v.layout_id as id, v.identifier, v.definition ->> 'name' as name, v.edition,
      v.is_default as "isDefault", content_hash(v.definition - 'compiled') as hash,
      length(v.definition::text) as size, v.created_at as "updatedAt", v.created_by as "updatedBy"
    from (select distinct on (layout_id) * from layout_version
      where environment_id = ${env.environmentId} and edition <= ${edition}
      order by layout_id, edition desc) v
    where v.definition is not null order by v.identifier collate "C"`.execute(db)
  return rows
}

async function findWordsHeads(
  db: Db,
  env: Env,
  edition: number,
  owners: readonly (WorkflowHead | LayoutHead)[],
): Promise<WordsHead[]> {
  const { rows } = await sql<WordsHead>`
    select 'translation' as kind, o.id, o.type as owner, o.identifier as "ownerIdentifier", o.name as "ownerName",
      v.locale, v.edition, content_hash(v.content) as hash, length(v.content::text) as size,
      v.created_at as "updatedAt", v.created_by as "updatedBy"
    from unnest(${owners.map(({ kind }) => kind)}::text[], ${owners.map(({ id }) => id)}::uuid[],
      ${owners.map(({ identifier }) => identifier)}::text[], ${owners.map(({ name }) => name)}::text[])
      as o (type, id, identifier, name)
    cross join lateral (
      select distinct on (t.locale) t.* from translation t
      where t.environment_id = ${env.environmentId} and t.resource_type = o.type and t.resource_id = o.id
        and t.edition <= ${edition}
      order by t.locale, t.edition desc) v
    where v.content is not null order by o.type, o.identifier collate "C", v.locale collate "C"`.execute(db)
  return rows
}

async function findDefaultLocale(db: Db, env: Env, edition: number): Promise<string> {
  const { rows } = await sql<{ locale: string }>`
    select default_locale as locale from edition
    where environment_id = ${env.environmentId} and number = ${edition}`.execute(db)
  return rows[0]?.locale ?? firstDefaultLocale
}

export type AnyHead = WorkflowHead | LayoutHead | WordsHead

/** Of one environment. */
export function headKey(head: AnyHead): string {
  if (head.kind === 'workflow') return `workflow ${head.id} ${head.version}`
  return `${head.kind} ${head.id} ${head.kind === 'layout' ? '' : head.locale} ${head.edition}`
}
