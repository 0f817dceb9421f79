import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { withinIds } from '../id-bounds.ts'
import { countCap } from '../keyset.ts'
import { pageOffset } from '../page-offset.ts'
import type { Tables } from '../schema.ts'
import { tellOfCompleted, tellOfMessages } from '../webhooks/tell.ts'
import type { Detail, JobStatus } from './history.ts'
import { addEventSizes, type Sized, shareEvents } from './sized.ts'

/** A message, with the fields that only its event stores. */
export type MessageRow = Message & EventFields
type Message = Selectable<Tables['message']>
type EventFields = {
  payload: unknown
  overrides: unknown
  actor: unknown
  /** The event's traceparent. */
  trace: string | null
  /** Of the send that the event is, if it is one: whether all of it is counted, and its state. */
  send_counted: boolean | null
  send_state: string | null
}
/** The rows are loaded by their ids, as many at a time as fit. */
export type MessagePage = { items: Sized[]; hasMore: boolean; totalCount: number }
export type PageNumber = { page: number; limit: number }

export type MessageFilter = {
  channel?: string
  subscriberIds?: readonly string[]
  eventIds?: readonly string[]
  contextKeys?: readonly string[]
  integrationId?: string
  isDead?: true
}

export function listMessages(db: Db, env: Env, filter: MessageFilter, page: PageNumber): Promise<MessagePage> {
  const conditions = [
    filter.channel === undefined ? [] : sql`m.channel = ${filter.channel}`,
    filter.subscriberIds === undefined ? [] : sql`m.subscriber_id = any (${filter.subscriberIds}::uuid[])`,
    filter.eventIds === undefined ? [] : sql`m.event_id = any (${filter.eventIds}::uuid[])`,
    filter.contextKeys === undefined ? [] : sql`m.context_keys = ${filter.contextKeys}::text[]`,
    filter.integrationId === undefined ? [] : sql`m.integration_id = ${filter.integrationId}`,
    // Written like the condition of its index.
    filter.isDead ? sql`m.delivery = 'dead'` : [],
  ].flat()
  return pageOfMessages(db, env, conditions, page)
}

/** In the order of the ids. The messages of one event share its payload and overrides. */
export async function listMessagesById(db: Db, env: Env, ids: readonly string[]): Promise<MessageRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<MessageRow & { is_first: boolean }>`
    select m.*, e.payload, e.overrides, e.actor, e.trace, s.counted as send_counted, s.state as send_state from (
      select m.*, row_number() over (partition by m.event_id order by m.id) = 1 as is_first
      from unnest(${ids}::uuid[]) as wanted (id)
      join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id and ${withinIds('m.id', ids)}) m
    left join event e on m.is_first and e.environment_id = m.environment_id and e.id = m.event_id
    left join send s on m.is_first and s.environment_id = m.environment_id and s.id = m.event_id`.execute(db)
  const shared = shareEvents(rows, ({ payload, overrides, actor, trace, send_counted, send_state }): EventFields => {
    return { payload, overrides, actor, trace, send_counted, send_state }
  })
  const byId = new Map(shared.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Of one subscriber, oldest first. */
export async function listMessagesAfter(
  db: Db,
  env: Env,
  subscriberId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Sized[]> {
  const bound = after === null ? sql`true` : sql`m.id > ${after}::uuid`
  const { rows } = await sql<Sized & { event_id: string }>`
    select ${sized} from message m
    where m.environment_id = ${env.environmentId} and m.subscriber_id = ${subscriberId} and ${bound}
    order by m.id limit ${limit}`.execute(db)
  return addEventSizes(db, env, rows)
}

/** Whether each was seen and read; deleted messages are left out. */
export async function listMessageMarks(
  db: Db,
  env: Env,
  ids: readonly string[],
): Promise<Map<string, { seen: boolean; read: boolean }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; seen: boolean; read: boolean }>`
    select m.id, m.seen, m.read from unnest(${ids}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export type DeletedMessage = {
  event_id: string
  job_id: string
  notification_id: string
  workflow_id: string
  channel: string
  provider_id: string | null
  delivery: string | null
  /** A try of it is under way, or had no clear answer. */
  may_be_out: boolean
}

/** Locks the jobs before the messages, in the same order as record-endings.ts. */
export async function deleteMessages(db: Db, env: Env, ids: readonly string[], now: Date): Promise<DeletedMessage[]> {
  const these = sql`unnest(${ids}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id and ${withinIds('m.id', ids)}`
  await sql`
    select 1 from (select distinct m.job_id from ${these}) own
    join job j on j.environment_id = ${env.environmentId} and j.id = own.job_id order by j.id for update of j`.execute(
    db,
  )
  await tellOfMessages(
    db,
    env,
    ids.map((id) => ({ id, type: 'message.deleted' })),
    now,
  )
  const { rows } = await sql<DeletedMessage>`
    with gone as (
      delete from message where environment_id = ${env.environmentId} and id = any (${ids}::uuid[])
        and ${withinIds('id', ids)}
      returning id, event_id, job_id, notification_id, workflow_id, channel, provider_id, delivery,
        in_flight or coalesce(error_id = 'delivery_unknown', false) as may_be_out),
    ${forgetGone(env)}
    select event_id, job_id, notification_id, workflow_id, channel, provider_id, delivery, may_be_out from gone`.execute(
    db,
  )
  return rows
}

/** The next of an event, in the order of their ids. */
export async function listMessagesOfEvent(
  db: Db,
  env: Env,
  { eventId, channel }: { eventId: string; channel: string | null },
  limit: number,
): Promise<string[]> {
  const ofChannel = channel === null ? sql`true` : sql`channel = ${channel}`
  const { rows } = await sql<{ id: string }>`
    select id from message where environment_id = ${env.environmentId} and event_id = ${eventId} and ${ofChannel}
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Takes the messages of `gone` off their jobs' lists: what a job lists must be there (`conserve`). */
export function forgetGone(env: Env): RawBuilder<unknown> {
  return sql`forgotten as (
    update job j set message_ids = array(select made from unnest(j.message_ids) as made where made <> all (g.ids))
    from (select job_id, array_agg(id) as ids from gone group by job_id) g
    where j.environment_id = ${env.environmentId} and j.id = g.job_id)`
}

export type EndedJob = { id: string; type: string; status: JobStatus; notification_id: string }

/** Ends the jobs that waited for deleted messages only. Returns those that ended. `line`: of each. */
export async function endJobsOfDeleted(
  db: Db,
  env: Env,
  jobs: readonly { id: string; mayBeOut: boolean; line: Detail }[],
  now: Date,
): Promise<EndedJob[]> {
  if (jobs.length === 0) return []
  const { rows } = await sql<EndedJob>`
    update job j set updated_at = ${now}, details = j.details || jsonb_build_array(left_over.line),
      status = case when left_over.arrived or left_over.may_be_out then 'completed' when left_over.n > 0 then 'failed' else 'canceled' end
    from (
      select own.id, given.line, given.may_be_out, count(m.id) as n, coalesce(bool_or(m.delivery = 'open'), false) as open,
        coalesce(bool_or(m.delivery in ('sent', 'unknown')), false) as arrived
      from jsonb_to_recordset(${JSON.stringify(jobs.map(({ id, mayBeOut, line }) => ({ id, may_be_out: mayBeOut, line })))}::jsonb)
        as given (id uuid, may_be_out boolean, line jsonb)
      join job own on own.environment_id = ${env.environmentId} and own.id = given.id
      left join lateral unnest(own.message_ids) as made (id) on true
      left join message m on m.environment_id = own.environment_id and m.id = made.id
      group by own.id, given.line, given.may_be_out) left_over
    where j.environment_id = ${env.environmentId} and j.id = left_over.id and j.status = 'queued' and not left_over.open
    returning j.id, j.type, j.status, j.notification_id`.execute(db)
  await tellOfCompleted(
    db,
    env,
    rows.map((row) => row.notification_id),
    now,
  )
  return rows
}

const sized = sql`m.id, m.event_id, octet_length(m.content) + coalesce(octet_length(m.data::text), 0) as bytes`

/** `filtersEvent`: a condition is about the event. */
export async function pageOfMessages(
  db: Db,
  env: Env,
  conditions: readonly RawBuilder<unknown>[],
  { page, limit }: PageNumber,
  filtersEvent = false,
): Promise<MessagePage> {
  const where = sql.join([sql`m.environment_id = ${env.environmentId}`, ...conditions], sql` and `)
  const event = sql`join event e on e.environment_id = m.environment_id and e.id = m.event_id`
  const filtered = sql`from message m ${filtersEvent ? event : sql``} where ${where}`
  const { rows } = await sql<Sized & { event_id: string }>`
    select ${sized} ${filtered} order by m.id desc offset ${pageOffset(page, limit)} limit ${limit + 1}`.execute(db)
  const isWhole = page === 0 && rows.length <= limit
  return {
    items: await addEventSizes(db, env, rows.slice(0, limit)),
    hasMore: rows.length > limit,
    totalCount: isWhole ? rows.length : await count(db, sql`select 1 ${filtered} order by m.id desc`),
  }
}

async function count(db: Db, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: counts } = await sql<{ n: number }>`
    select count(*)::int as n from (${rows} limit ${sql.lit(countCap)}) counted`.execute(db)
  return counts[0]?.n ?? 0
}
