import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Page, PageRequest } from '../keyset.ts'
import { type KeysetSource, keysetPage } from '../keyset.ts'
import type { Actor } from './grants.ts'

export type ChangeRecord = {
  id: string
  /** Null: it is about the organization. */
  happenedIn: string | null
  actor: Actor
  action: string
  subject: { type: string; id: string; name: string | null }
  changes: readonly { path: string; before?: unknown; after?: unknown }[]
}

export async function insertChangeRecords(
  db: Db,
  organizationId: string,
  records: readonly ChangeRecord[],
): Promise<void> {
  const rows = records.map(({ id, happenedIn, actor, action, subject, changes }) => ({
    id,
    happened_in: happenedIn,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    address: actor.address,
    agent: actor.agent,
    request_id: actor.requestId,
    action,
    subject_type: subject.type,
    subject_id: subject.id,
    subject_name: subject.name,
    changes,
  }))
  await sql`
    insert into change_record (organization_id, id, happened_in, actor_type, actor_id, actor_name, address, agent,
      request_id, action, subject_type, subject_id, subject_name, changes)
    select ${organizationId}, id, happened_in, actor_type, actor_id, actor_name, address, agent, request_id, action,
      subject_type, subject_id, subject_name, changes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id uuid, happened_in uuid, actor_type text,
      actor_id text, actor_name text, address text, agent text, request_id text, action text, subject_type text,
      subject_id text, subject_name text, changes jsonb)`.execute(db)
}

export type ChangeFilter = {
  /** Absent: all of the organization. */
  place?: string | undefined
  actorId?: string | undefined
  /** As in `workflows`, or `workflows.update`. */
  action?: string | undefined
  subjectType?: string | undefined
  subjectId?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** Null: the cursor is not one of this list. */
export async function listChangeRecords(
  db: Db,
  organizationId: string,
  filter: ChangeFilter,
  page: PageRequest,
): Promise<Page<ChangeRecord> | null> {
  const source = {
    db,
    select: sql`c.id, c.happened_in as "happenedIn", c.action, c.changes,
      jsonb_strip_nulls(jsonb_build_object('type', c.actor_type, 'id', c.actor_id, 'name', c.actor_name,
        'address', c.address, 'agent', c.agent, 'requestId', c.request_id)) as actor,
      jsonb_build_object('type', c.subject_type, 'id', c.subject_id, 'name', c.subject_name) as subject`,
    from: sql`change_record c`,
    scope: sql`c.organization_id = ${organizationId}`,
    filter: sql.join(conditions(filter), sql` and `),
    id: sql`c.id`,
    columns: {},
  } satisfies KeysetSource
  return keysetPage<ChangeRecord>(source, page)
}

function conditions({ place, actorId, action, subjectType, subjectId, from, until }: ChangeFilter) {
  return [
    sql`true`,
    ...(place === undefined ? [] : [sql`c.happened_in = ${place}`]),
    ...(actorId === undefined ? [] : [sql`c.actor_id = ${actorId}`]),
    ...(action === undefined ? [] : [sql`(c.action = ${action} or starts_with(c.action, ${`${action}.`}))`]),
    ...(subjectType === undefined ? [] : [sql`c.subject_type = ${subjectType}`]),
    ...(subjectId === undefined ? [] : [sql`c.subject_id = ${subjectId}`]),
    ...(from === undefined ? [] : [sql`c.id >= uuid_at(${from})`]),
    ...(until === undefined ? [] : [sql`c.id < uuid_at(${until})`]),
  ]
}

export type FoundActor = { type: Actor['type']; id: string; name: string; lastId: string }

// Further back nobody looks for somebody by choosing from a list.
const [latest, mostActors] = [10_000, 200]

/** Who made the latest changes, each once, as they were called last; who did something last comes first. */
export async function listActors(
  db: Db,
  organizationId: string,
  { place }: Pick<ChangeFilter, 'place'>,
): Promise<FoundActor[]> {
  const { rows } = await sql<FoundActor>`
    with latest as materialized (
      select c.id, c.actor_type, c.actor_id, c.actor_name from change_record c
      where c.organization_id = ${organizationId} and ${sql.join(conditions({ place }), sql` and `)}
      order by c.id desc limit ${latest})
    select type, id, name, last_id as "lastId" from (
      select distinct on (actor_type, actor_id) actor_type as type, actor_id as id, actor_name as name, id as last_id
      from latest order by actor_type, actor_id, latest.id desc) found
    order by last_id desc limit ${mostActors}`.execute(db)
  return rows
}

/** Who made API keys, by the ids of the keys; of those from before the record, nobody knows it. */
export async function findKeyMakers(
  db: Db,
  organizationId: string,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<Actor, 'type' | 'id' | 'name'>>> {
  const { rows } = await sql<Pick<Actor, 'type' | 'id' | 'name'> & { keyId: string }>`
    select distinct on (c.subject_id) c.subject_id as "keyId", c.actor_type as type, c.actor_id as id, c.actor_name as name
    from change_record c
    where c.organization_id = ${organizationId} and c.subject_type = 'api-key'
      and c.subject_id in (select unnest(${[...keyIds]}::text[]))
      and c.action in ('api-keys.create', 'keys.create')
    order by c.subject_id, c.id`.execute(db)
  return new Map(rows.map(({ keyId, ...maker }) => [keyId, maker]))
}

/** A batch of those from before; answers how many went. */
export async function purgeChangeRecords(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select purge_change_record(${before}, ${most}) as n`.execute(db)
  return rows[0]?.n ?? 0
}
