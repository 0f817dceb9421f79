import { type Selectable, sql } from 'kysely'
import type { Attachment } from '../../lib/outbound.ts'
import type { Db, Env } from '../database.ts'
import { withinIds } from '../id-bounds.ts'
import { insertRows, sortedById } from '../insert-rows.ts'
import { named } from '../rows/named-statements.ts'
import type { Tables } from '../schema.ts'

/** An event, with the current name and data of its tenant for templates. */
export type EventRow = Selectable<Tables['event']> & {
  tenant_name: string | null
  tenant_data: unknown
  /** It is a send of which all is counted. */
  send_counted: boolean | null
  /** After so many people it stands still. */
  canary_until: number | null
}

export type NewEvent = {
  id: string
  transactionId: string
  hash: Buffer
  workflowId: string
  workflowVersion: number
  /** Of layouts and translations (migration 0039). */
  edition: number | null
  payload: Record<string, unknown>
  overrides: Record<string, unknown>
  /** Stored beside the event, not in it. */
  attachments: readonly Attachment[]
  /** null: everybody. */
  recipients: readonly unknown[] | null
  actor: unknown
  tenant: string | null
  context: Record<string, unknown> | null
  contextKeys: readonly string[] | null
  /** How many people it notifies, if its notifications are written together with it. Null: it is still to be expanded. */
  notified: number | null
  /** A W3C traceparent: the parent of the event's spans. */
  trace: string | null
}

export type EventKey = { transaction_id: string; event_id: string; event_hash: Buffer }

/**
 * Claims the free transactionIds in one statement, in one order, so that two callers cannot deadlock; returns the ids of
 * their events. Of two equal ones the first wins.
 */
export async function claimEventKeys(db: Db, env: Env, events: readonly NewEvent[]): Promise<Set<string>> {
  const { rows } = await sql<{ event_id: string }>`${named}
    insert into event_key (environment_id, transaction_id, event_id, event_hash)
    select ${env.environmentId}, given.transaction_id, given.event_id, given.hash
    from unnest(${events.map((event) => event.transactionId)}::text[], ${events.map((event) => event.id)}::uuid[],
      ${events.map((event) => event.hash)}::bytea[]) with ordinality as given (transaction_id, event_id, hash, place)
    order by given.transaction_id, given.place
    on conflict (environment_id, transaction_id) do nothing
    returning event_id`.execute(db)
  return new Set(rows.map((row) => row.event_id))
}

export async function findEventKeys(db: Db, env: Env, transactionIds: readonly string[]): Promise<EventKey[]> {
  const { rows } = await sql<EventKey>`
    select k.transaction_id, k.event_id, k.event_hash from unnest(${transactionIds}::text[]) as wanted (transaction_id)
    join event_key k on k.environment_id = ${env.environmentId} and k.transaction_id = wanted.transaction_id`.execute(
    db,
  )
  return rows
}

/** The columns as stored; the rest has defaults. */
export function toEventColumns(event: NewEvent) {
  return {
    id: event.id,
    transaction_id: event.transactionId,
    workflow_id: event.workflowId,
    workflow_version: event.workflowVersion,
    edition: event.edition,
    payload: event.payload,
    overrides: event.overrides,
    recipients: event.recipients,
    actor: event.actor ?? null,
    tenant: event.tenant,
    context: event.context,
    context_keys: event.contextKeys === null ? null : [...event.contextKeys],
    state: event.notified === null ? 'accepted' : 'expanded',
    notified_count: event.notified ?? 0,
    trace: event.trace,
  }
}

const columns = {
  id: 'uuid',
  transaction_id: 'text',
  workflow_id: 'uuid',
  workflow_version: 'int',
  edition: 'int',
  payload: 'jsonb',
  overrides: 'jsonb',
  recipients: 'jsonb',
  actor: 'jsonb',
  tenant: 'text',
  context: 'jsonb',
  context_keys: 'text[]',
  state: 'text',
  notified_count: 'int',
  trace: 'text',
} satisfies Record<keyof ReturnType<typeof toEventColumns>, string>

export async function insertEvents(db: Db, env: Env, events: readonly NewEvent[]): Promise<void> {
  await insertRows(db, env, 'event', { columns }, events.map(toEventColumns))
}

// Not `= 'accepted'`: the planner would use the index of open events, of which it expects none, and read the whole
// backlog for every page (19 ms instead of 0.5 with 30,000 of them). Written like this, the primary key finds them.
const isOpen = sql`e.state is not distinct from 'accepted'`

/** Those that still have recipients to reach. */
export async function findOpenEvents(db: Db, env: Env, ids: readonly string[]): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select e.*, t.name as tenant_name, t.data as tenant_data, s.counted as send_counted, s.canary_until from unnest(${ids}::uuid[]) as wanted (id)
    join event e on e.environment_id = ${env.environmentId} and e.id = wanted.id and ${withinIds('e.id', ids)} and ${isOpen}
    left join tenant t on t.environment_id = e.environment_id and t.identifier = e.tenant
    left join send s on s.environment_id = e.environment_id and s.id = e.id
    order by e.id`.execute(db)
  return rows
}

export async function findEvents(db: Db, env: Env, ids: readonly string[]): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select e.*, t.name as tenant_name, t.data as tenant_data, s.counted as send_counted, s.canary_until from unnest(${[...new Set(ids)]}::uuid[]) as wanted (id)
    join event e on e.environment_id = ${env.environmentId} and e.id = wanted.id and ${withinIds('e.id', ids)}
    left join tenant t on t.environment_id = e.environment_id and t.identifier = e.tenant
    left join send s on s.environment_id = e.environment_id and s.id = e.id`.execute(db)
  return rows
}

export type Progress = {
  id: string
  before: unknown
  after: unknown
  /** `held`: its first people are all written. */
  state: 'accepted' | 'expanded' | 'held'
  notified: number
}

/** Moves each cursor from where the page began. Returns how many moved: fewer means that another worker was faster. */
export async function moveEventCursors(db: Db, env: Env, progress: readonly Progress[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update event e set expand_cursor = nullif(p.after, 'null'), state = p.state, notified_count = e.notified_count + p.notified
    from jsonb_to_recordset(${JSON.stringify(sortedById(progress))}::jsonb)
      as p (id uuid, before jsonb, after jsonb, state text, notified int)
    where e.environment_id = ${env.environmentId} and e.id = p.id and ${withinIds(
      'e.id',
      progress.map((it) => it.id),
    )}
      and ${isOpen}
      and e.expand_cursor is not distinct from nullif(p.before, 'null')`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** How many events wait to be expanded, counted up to the bound. */
export async function countOpenEvents(db: Db, env: Env, bound: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select 1 from event where environment_id = ${env.environmentId} and state = 'accepted' limit ${bound}) open`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/**
 * The state of each event, which nobody changes until the transaction ends: a cancel waits, and then finds the rows that
 * the transaction writes.
 */
export async function lockEventStates(db: Db, env: Env, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; state: string }>`
    select e.id, e.state from unnest(${[...new Set(ids)].sort()}::uuid[]) as wanted (id)
    join event e on e.environment_id = ${env.environmentId} and e.id = wanted.id and ${withinIds('e.id', ids)}
    order by e.id for share of e`.execute(db)
  return new Map(rows.map((row) => [row.id, row.state]))
}

/** Nobody else is notified after this, and waiting steps stop. Returns the state before; null if it was canceled already. */
export async function cancelEvent(db: Db, env: Env, id: string): Promise<string | null> {
  const { rows } = await sql<{ was: string }>`
    update event e set state = 'canceled'
    from (select state from event where environment_id = ${env.environmentId} and id = ${id} for update) before
    where e.environment_id = ${env.environmentId} and e.id = ${id} and e.state <> 'canceled'
    returning before.state as was`.execute(db)
  return rows[0]?.was ?? null
}

/** Its state and how many people it reached; until the transaction ends nobody changes them. */
export async function lockEvent(
  db: Db,
  env: Env,
  id: string,
): Promise<{ state: string; notified: number; isEverybody: boolean } | null> {
  const { rows } = await sql<{ state: string; notified: number; isEverybody: boolean }>`
    select state, notified_count as notified, recipients is null as "isEverybody" from event
    where environment_id = ${env.environmentId} and id = ${id} for update`.execute(db)
  return rows[0] ?? null
}

/** The caller has locked it. */
export async function setEventState(db: Db, env: Env, id: string, state: string): Promise<void> {
  await sql`update event set state = ${state} where environment_id = ${env.environmentId} and id = ${id}`.execute(db)
}
