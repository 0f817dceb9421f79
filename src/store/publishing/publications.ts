import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { type KeysetSource, keysetPage, type Page, type PageRequest } from '../keyset.ts'
import type { AnyHead, Manifest, ManifestEntry } from './heads.ts'

export type PublishedChange = {
  kind: string
  resourceId: string
  name: string
  action: 'added' | 'modified' | 'deleted'
}
export type ChangeSummary = { added: number; modified: number; deleted: number }

export type PublicationRow = {
  id: string
  sourceId: string | null
  sourceName: string | null
  restoredId: string | null
  restoredState: 'before' | 'after' | null
  note: string | null
  summary: ChangeSummary
  createdAt: Date
  createdBy: string | null
}
export type PublicationDetail = PublicationRow & { changes: PublishedChange[]; before: Manifest; after: Manifest }

export type NewPublication = Pick<PublicationDetail, 'id' | 'note' | 'changes' | 'summary' | 'before' | 'after'> &
  Partial<Pick<PublicationRow, 'sourceId' | 'sourceName' | 'restoredId' | 'restoredState'>>

export async function insertPublication(db: Db, env: Env, it: NewPublication, now: Date): Promise<void> {
  await sql`
    insert into publication (environment_id, id, source_id, source_name, restored_id, restored_state, note, changes, summary,
      workflows_before, edition_before, workflows_after, edition_after, created_at, created_by)
    values (${env.environmentId}, ${it.id}, ${it.sourceId ?? null}, ${it.sourceName ?? null}, ${it.restoredId ?? null},
      ${it.restoredState ?? null}, ${it.note}, ${JSON.stringify(it.changes)}::jsonb, ${JSON.stringify(it.summary)}::jsonb,
      ${JSON.stringify(it.before.workflows)}::jsonb, ${it.before.edition}, ${JSON.stringify(it.after.workflows)}::jsonb,
      ${it.after.edition}, ${now}, nullif(${env.keyId}, '')::uuid)`.execute(db)
}

const columns = sql`p.id, p.source_id as "sourceId", p.source_name as "sourceName", p.restored_id as "restoredId",
  p.restored_state as "restoredState", p.note, p.summary, p.created_at as "createdAt", p.created_by as "createdBy"`

export async function listPublications(db: Db, env: Env, page: PageRequest): Promise<Page<PublicationRow> | null> {
  const source = {
    db,
    select: columns,
    from: sql`publication p`,
    scope: sql`p.environment_id = ${env.environmentId}`,
    id: sql`p.id`,
    columns: {},
  } satisfies KeysetSource
  return keysetPage<PublicationRow>(source, page)
}

/** The newest one; whoever asks holds the environment. */
export async function lastPublicationId(db: Db, env: Env): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from publication where environment_id = ${env.environmentId} order by id desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

export async function findPublication(db: Db, env: Env, id: string): Promise<PublicationDetail | null> {
  type Row = PublicationRow & {
    changes: PublishedChange[]
    workflowsBefore: ManifestEntry[]
    editionBefore: number | null
    workflowsAfter: ManifestEntry[]
    editionAfter: number | null
  }
  const { rows } = await sql<Row>`
    select ${columns}, p.changes, p.workflows_before as "workflowsBefore", p.edition_before as "editionBefore",
      p.workflows_after as "workflowsAfter", p.edition_after as "editionAfter"
    from publication p where p.environment_id = ${env.environmentId} and p.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { workflowsBefore, editionBefore, workflowsAfter, editionAfter, ...rest } = row
  return {
    ...rest,
    before: { workflows: workflowsBefore, edition: editionBefore },
    after: { workflows: workflowsAfter, edition: editionAfter },
  }
}

/** By which a version of a workflow came. */
export type VersionPublication = { id: string; sourceName: string | null; isRestored: boolean }

/**
 * Of versions of one workflow, those that came by publishing. A publication names the versions before and after it; only
 * those made shortly after a version are looked at, because each lists all workflows.
 */
export async function findPublicationsOf(
  db: Db,
  env: Env,
  workflowId: string,
  versions: readonly { version: number; madeAt: Date | null }[],
): Promise<ReadonlyMap<number, VersionPublication>> {
  const made = versions.filter(({ madeAt }) => madeAt !== null)
  const { rows } = await sql<VersionPublication & { version: number }>`
    select v.version, p.id, p.source_name as "sourceName", p.restored_id is not null as "isRestored"
    from unnest(${made.map(({ version }) => version)}::int[], ${made.map(({ madeAt }) => madeAt)}::timestamptz[])
      as v (version, made_at)
    cross join lateral jsonb_build_array(jsonb_build_array(${workflowId}::text, v.version)) as one
    cross join lateral (
      select * from publication p
      where p.environment_id = ${env.environmentId} and p.id >= uuid_at(v.made_at)
        and p.id < uuid_at(v.made_at + interval '5 minutes')
        and p.workflows_after @> one and not p.workflows_before @> one
      order by p.id limit 1) p`.execute(db)
  return new Map(rows.map(({ version, ...found }) => [version, found]))
}

type PublishedKey = { kind: string; id: string; locale: string }

function publishedKey(head: AnyHead): PublishedKey {
  if (head.kind !== 'translation') return { kind: head.kind, id: head.id, locale: '' }
  return { kind: `${head.owner}_words`, id: head.id, locale: head.locale }
}

const textOf = ({ kind, id, locale }: PublishedKey) => `${kind} ${id} ${locale}`

/** Whether something of this environment came by publishing from that one. */
export async function cameFrom(db: Db, env: Env, sourceId: string): Promise<(head: AnyHead) => boolean> {
  const { rows } = await sql<PublishedKey>`
    select kind, resource_id as id, locale from published_resource
    where environment_id = ${env.environmentId} and source_id = ${sourceId}`.execute(db)
  const known = new Set(rows.map(textOf))
  return (head) => known.has(textOf(publishedKey(head)))
}

/** `heads`: as they are in this environment. */
export async function notePublished(db: Db, env: Env, sourceId: string, heads: readonly AnyHead[]): Promise<void> {
  const keys = heads.map(publishedKey)
  await sql`
    insert into published_resource (environment_id, kind, resource_id, locale, source_id)
    select ${env.environmentId}, kind, id, locale, ${sourceId}
    from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ id }) => id)}::uuid[],
      ${keys.map(({ locale }) => locale)}::text[]) as given (kind, id, locale)
    on conflict (environment_id, kind, resource_id, locale) do update set source_id = excluded.source_id`.execute(db)
}

/**
 * Until the transaction ends, nobody else publishes here, and nobody changes workflows, layouts or translations by hand
 * (those share this lock, see `isProtected`), or protects or deletes the environment. Throws 55P03 when that takes long.
 */
export async function lockForPublishing(db: Db, env: Env): Promise<void> {
  await sql`select set_config('lock_timeout', '20s', true)`.execute(db)
  await sql`select 1 from environment where id = ${env.environmentId} for no key update`.execute(db)
  await sql`select set_config('lock_timeout', '0', true)`.execute(db)
}
