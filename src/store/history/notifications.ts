import { type RawBuilder, type Selectable, sql } from 'kysely'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import { pageOffset } from '../page-offset.ts'
import type { Tables } from '../schema.ts'
import { containing } from '../subscribers.ts'
import { addEventSizes, type Sized, shareEvents } from './sized.ts'

export type Notification = Selectable<Tables['notification']>
export type NotificationRow = Notification & EventFields
type EventFields = { payload: unknown; overrides: unknown }
export type JobRow = Selectable<Tables['job']>

export type NotificationFilter = {
  channels?: readonly string[]
  templates?: readonly string[]
  emails?: readonly string[]
  subscriberIds?: readonly string[]
  severity?: readonly string[]
  search?: string
  eventId?: string
  topicId?: string
  contextKeys?: readonly string[]
  /** A step of it has this status. Those of the partial index `job_outcome`: of others it could not be found. */
  stepStatus?: 'failed' | 'skipped' | 'canceled' | 'merged' | 'delayed'
  after?: Date
  before?: Date
}

const sized = sql`n.id, n.event_id, 0 as bytes`

/** Newest first. The rows are loaded by their ids, as many at a time as fit. */
export async function listNotifications(
  db: Db,
  env: Env,
  filter: NotificationFilter,
  { page, limit }: { page: number; limit: number },
): Promise<{ items: Sized[]; hasMore: boolean }> {
  const slice = sql`offset ${pageOffset(page, limit)} limit ${limit + 1}`
  const where = sql.join([sql`n.environment_id = ${env.environmentId}`, ...conditionsOf(env, filter)], sql` and `)
  const { rows } = isByStepAlone(filter)
    ? await sql<Sized & { event_id: string }>`
      select ${sized} from (
        select distinct j.notification_id ${stepsOf(env, filter)} order by j.notification_id desc ${slice}) found
      join notification n on n.environment_id = ${env.environmentId} and n.id = found.notification_id
      order by n.id desc`.execute(db)
    : await sql<Sized & { event_id: string }>`
      select ${sized} from notification n where ${where} order by n.id desc ${slice}`.execute(db)
  return { items: await addEventSizes(db, env, rows.slice(0, limit)), hasMore: rows.length > limit }
}

/** Of one subscriber, oldest first. */
export async function listNotificationsAfter(
  db: Db,
  env: Env,
  subscriberId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Sized[]> {
  const bound = after === null ? sql`true` : sql`n.id > ${after}::uuid`
  const { rows } = await sql<Sized & { event_id: string }>`
    select ${sized} from notification n
    where n.environment_id = ${env.environmentId} and n.subscriber_id = ${subscriberId} and ${bound}
    order by n.id limit ${limit}`.execute(db)
  return addEventSizes(db, env, rows)
}

export async function findNotification(db: Db, env: Env, id: string): Promise<NotificationRow | null> {
  return (await listNotificationRows(db, env, [id]))[0] ?? null
}

/** In the order of the ids. Those of one event share its payload and overrides. */
export async function listNotificationRows(db: Db, env: Env, ids: readonly string[]): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow & { is_first: boolean }>`
    select n.*, e.payload, e.overrides from (
      select n.*, row_number() over (partition by n.event_id order by n.id) = 1 as is_first
      from unnest(${ids}::uuid[]) as wanted (id)
      join notification n on n.environment_id = ${env.environmentId} and n.id = wanted.id) n
    left join event e on n.is_first and e.environment_id = n.environment_id and e.id = n.event_id`.execute(db)
  const shared = shareEvents(rows, ({ payload, overrides }): EventFields => ({ payload, overrides }))
  const byId = new Map(shared.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function listNotificationsById(db: Db, env: Env, ids: readonly string[]): Promise<Notification[]> {
  const { rows } = await sql<Notification>`
    select n.* from unnest(${ids}::uuid[]) as wanted (id)
    join notification n on n.environment_id = ${env.environmentId} and n.id = wanted.id`.execute(db)
  return rows
}

export async function listJobsById(db: Db, env: Env, ids: readonly string[]): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select j.* from unnest(${ids}::uuid[]) as wanted (id)
    join job j on j.environment_id = ${env.environmentId} and j.id = wanted.id`.execute(db)
  return rows
}

/** The notifications with a step of that status, from the index of outcomes. */
function stepsOf(env: Env, { stepStatus = 'failed', after, before }: NotificationFilter): RawBuilder<unknown> {
  return sql`from job j where j.environment_id = ${env.environmentId} and j.status = ${sql.lit(stepStatus)}
    and ${after ? sql`j.notification_id >= uuid_at(${after})` : sql`true`}
    and ${before ? sql`j.notification_id < uuid_at(${new Date(before.getTime() + 1)})` : sql`true`}`
}

/** Nothing else is asked: a page is read off the index. With other filters PostgreSQL chooses where to begin. */
function isByStepAlone({ stepStatus, after, before, ...others }: NotificationFilter): boolean {
  return stepStatus !== undefined && Object.keys(others).length === 0
}

function conditionsOf(env: Env, filter: NotificationFilter): RawBuilder<unknown>[] {
  const subscribers = (condition: RawBuilder<unknown>) =>
    sql`n.subscriber_id in (select s.id from subscriber s where s.environment_id = ${env.environmentId} and ${condition})`
  const versions = (condition: RawBuilder<unknown>) =>
    sql`(n.workflow_id, n.workflow_version) in (
      select v.workflow_id, v.version from workflow_version v where v.environment_id = ${env.environmentId} and ${condition})`
  return [
    filter.templates === undefined ? [] : sql`n.workflow_id = any (${filter.templates}::uuid[])`,
    filter.subscriberIds === undefined ? [] : subscribers(sql`s.subscriber_id = any (${filter.subscriberIds}::text[])`),
    filter.emails === undefined ? [] : subscribers(sql`s.email = any (${filter.emails}::text[])`),
    filter.severity === undefined ? [] : versions(sql`v.definition->>'severity' = any (${filter.severity}::text[])`),
    filter.channels === undefined
      ? []
      : versions(sql`exists (select 1 from jsonb_array_elements(v.definition->'steps') step
          where step->>'type' = any (${filter.channels}::text[]))`),
    filter.eventId === undefined ? [] : ofEvent(filter.eventId),
    filter.topicId === undefined ? [] : sql`n.topic_ids @> array[${filter.topicId}::uuid]`,
    filter.contextKeys === undefined ? [] : sql`n.context_keys = ${filter.contextKeys}::text[]`,
    filter.stepStatus === undefined ? [] : sql`n.id in (select j.notification_id ${stepsOf(env, filter)})`,
    filter.after === undefined ? [] : sql`n.id >= uuid_at(${filter.after})`,
    filter.before === undefined ? [] : sql`n.id < uuid_at(${new Date(filter.before.getTime() + 1)})`,
    filter.search === undefined ? [] : matchesSearch(filter.search, subscribers),
  ].flat()
}

/** A notification's id holds its event's time: the primary key finds it without another index. */
function ofEvent(eventId: string): RawBuilder<unknown> {
  const time = uuid7Time(eventId)
  return sql`n.event_id = ${eventId} and n.id >= uuid_at(${time}) and n.id < uuid_at(${new Date(time.getTime() + 1)})`
}

/** Deprecated: a part of the e-mail address, or a whole subscriberId or transactionId. */
function matchesSearch(term: string, subscribers: (condition: RawBuilder<unknown>) => RawBuilder<unknown>) {
  const who = subscribers(sql`(s.email like ${containing(term)} or s.subscriber_id = ${term})`)
  return sql`(${who} or n.transaction_id = ${term})`
}
