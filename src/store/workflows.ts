import { type Selectable, sql } from 'kysely'
import { isUuid7 } from '../lib/uuid7.ts'
import type { Db, Env } from './database.ts'
import { type KeysetSource, keysetPage, type Page, type PageRequest } from './keyset.ts'
import type { Tables } from './schema.ts'
import { containing } from './subscribers.ts'
import { tellOfWorkflows } from './webhooks/tell.ts'

export type WorkflowRow = Selectable<Tables['workflow']>
export type WorkflowVersionRow = {
  workflow_id: string
  version: number
  definition: unknown
  identifier: string
  created_by: string
}

/** The current version of each identifier that exists, and the current edition of the environment (migration 0039). */
export async function findWorkflowsByIdentifier(
  db: Db,
  env: Env,
  identifiers: readonly string[],
): Promise<FoundWorkflow[]> {
  const { rows } = await sql<FoundWorkflow>`
    select w.*, (select max(number) from edition where environment_id = ${env.environmentId}) as edition
    from unnest(${identifiers}::text[]) as wanted (identifier)
    join workflow w on w.environment_id = ${env.environmentId} and w.identifier = wanted.identifier and w.deleted_at is null`.execute(
    db,
  )
  return rows
}

/** Deleted ones too: their history stays readable. */
export async function findWorkflowVersions(
  db: Db,
  env: Pick<Env, 'environmentId'>,
  wanted: readonly { workflowId: string; version: number }[],
): Promise<WorkflowVersionRow[]> {
  const { rows } = await sql<WorkflowVersionRow>`
    select v.workflow_id, v.version, v.definition, w.identifier, w.created_by
    from unnest(${wanted.map((it) => it.workflowId)}::uuid[], ${wanted.map((it) => it.version)}::int[]) as wanted (id, version)
    join workflow_version v
      on v.environment_id = ${env.environmentId} and v.workflow_id = wanted.id and v.version = wanted.version
    join workflow w on w.environment_id = v.environment_id and w.id = v.workflow_id`.execute(db)
  return rows
}

/** As they are now; deleted ones too. */
export async function listWorkflowsById(db: Db, env: Env, ids: readonly string[]): Promise<WorkflowRow[]> {
  const { rows } = await sql<WorkflowRow>`
    select w.* from unnest(${ids}::uuid[]) as wanted (id)
    join workflow w on w.environment_id = ${env.environmentId} and w.id = wanted.id`.execute(db)
  return rows
}

/** With the edition that was current at the same moment: whoever shows a workflow with its layout shows what is sent. */
export type FoundWorkflow = WorkflowRow & { edition: number | null }

/** By identifier or id. */
export async function findWorkflow(db: Db, env: Env, ref: string): Promise<FoundWorkflow | null> {
  const { rows } = await sql<FoundWorkflow>`
    select found.*, (select max(number) from edition where environment_id = ${env.environmentId}) as edition
    from (${selectByRef(env, ref)}) found`.execute(db)
  return rows[0] ?? null
}

/** Finds and locks it until the transaction ends, because versions are numbered one by one. */
export async function lockWorkflow(db: Db, env: Env, ref: string): Promise<WorkflowRow | null> {
  const { rows } = await sql<WorkflowRow>`${selectByRef(env, ref)} for no key update`.execute(db)
  return rows[0] ?? null
}

/** The identifier wins: it may look like the id of another workflow. */
function selectByRef(env: Env, ref: string) {
  const id = isUuid7(ref) ? ref : null
  return sql`select * from workflow
    where environment_id = ${env.environmentId} and deleted_at is null
      and (identifier = ${ref} or id = ${id}::uuid)
    order by identifier = ${ref} desc limit 1`
}

/** False when the identifier is taken. */
export async function insertWorkflow(
  db: Db,
  env: Env,
  row: { id: string; identifier: string; name: string; active: boolean; definition: object; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into workflow (environment_id, id, identifier, name, active, version, created_by, updated_at)
    values (${env.environmentId}, ${row.id}, ${row.identifier}, ${row.name}, ${row.active}, 1, ${env.keyId}, ${row.now})
    on conflict (environment_id, identifier) where deleted_at is null do nothing returning id`.execute(db)
  if (rows.length === 0) return false
  const definition = JSON.stringify(row.definition)
  await insertVersions(db, env, [{ id: row.id, version: 1, definition }], row.now)
  await tellOfWorkflows(db, env, [{ id: row.id, type: 'workflow.created' }], row.now)
  return true
}

export async function updateWorkflow(
  db: Db,
  env: Env,
  row: { id: string; name: string; active: boolean; version: number; now: Date },
): Promise<void> {
  await sql`
    update workflow set name = ${row.name}, active = ${row.active}, version = ${row.version}, updated_at = ${row.now}
    where environment_id = ${env.environmentId} and id = ${row.id}`.execute(db)
  await tellOfWorkflows(db, env, [{ id: row.id, type: 'workflow.updated' }], row.now)
}

/** `definition`: JSON. */
export type NewVersion = { id: string; version: number; definition: string }

export async function insertVersions(db: Db, env: Env, rows: readonly NewVersion[], now: Date): Promise<void> {
  await sql`
    insert into workflow_version (environment_id, workflow_id, version, definition, created_at, created_by)
    select ${env.environmentId}, id, version, definition::jsonb, ${now}, nullif(${env.keyId}, '')::uuid
    from unnest(${rows.map((it) => it.id)}::uuid[], ${rows.map((it) => it.version)}::int[],
      ${rows.map((it) => it.definition)}::text[]) as given (id, version, definition)`.execute(db)
}

/** `made…`: null for versions older than these columns. */
export type VersionRow = WorkflowVersionRow & {
  madeAt: Date | null
  madeBy: string | null
}

/** Newest first, one more than asked, so that the caller sees whether there is more. */
export async function listWorkflowVersions(
  db: Db,
  env: Env,
  workflowId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.workflow_id, v.version, v.definition, w.identifier, w.created_by, v.created_at as "madeAt",
      v.created_by as "madeBy"
    from workflow_version v
    join workflow w on w.environment_id = v.environment_id and w.id = v.workflow_id
    where v.environment_id = ${env.environmentId} and v.workflow_id = ${workflowId}
      and (${before}::int is null or v.version < ${before})
    order by v.version desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function markWorkflowDeleted(db: Db, env: Env, id: string, now: Date): Promise<void> {
  await sql`
    update workflow set deleted_at = ${now}, deleted_by = ${env.keyId}, active = false
    where environment_id = ${env.environmentId} and id = ${id}`.execute(db)
  await tellOfWorkflows(db, env, [{ id, type: 'workflow.deleted' }], now)
}

export type WorkflowFilter = { query?: string; tags?: string[]; active?: boolean[] }

/** `offset` skips rows at the beginning: some clients count pages instead of following cursors. */
export async function listWorkflows(
  db: Db,
  env: Env,
  filter: WorkflowFilter,
  page: PageRequest,
  offset = 0,
): Promise<Page<WorkflowRow> | null> {
  const source = {
    db,
    select: sql`w.*`,
    from: sql`workflow w`,
    scope: sql`w.environment_id = ${env.environmentId} and w.deleted_at is null`,
    filter: sql.join(conditions(filter), sql` and `),
    id: sql`w.id`,
    columns: {
      updatedAt: { expression: sql`w.updated_at`, type: 'timestamptz' },
      name: { expression: sql`w.name`, type: 'text' },
      workflowId: { expression: sql`w.identifier`, type: 'text' },
    },
  } satisfies KeysetSource
  if (offset === 0 || page.from) return keysetPage<WorkflowRow>(source, page)
  const skipped = await keysetPage<WorkflowRow>(source, { ...page, limit: offset })
  if (!skipped?.next) return skipped && { ...skipped, rows: [] }
  return keysetPage<WorkflowRow>(source, { ...page, from: { side: 'after', place: skipped.next } })
}

function conditions({ query, tags, active }: WorkflowFilter) {
  return [
    sql`true`,
    ...(query === undefined ? [] : [sql`(w.name like ${containing(query)} or w.identifier like ${containing(query)})`]),
    ...(active === undefined ? [] : [sql`w.active = any(${active}::boolean[])`]),
    ...(tags === undefined
      ? []
      : [
          sql`exists (select 1 from workflow_version v
            where v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = w.version
              and v.definition -> 'tags' ?| ${tags}::text[])`,
        ]),
  ]
}

/** Of the newest versions, in their order. */
export async function listWorkflowTags(db: Db, env: Env): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct tag collate "C" as tag from workflow w
    join workflow_version v
      on v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = w.version,
    jsonb_array_elements_text(coalesce(v.definition -> 'tags', '[]')) as tag
    where w.environment_id = ${env.environmentId} and w.deleted_at is null order by 1`.execute(db)
  return rows.map(({ tag }) => tag)
}
