import { type RawBuilder, type Selectable, sql } from 'kysely'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import { pageOffset } from '../page-offset.ts'
import type { Tables } from '../schema.ts'
import { containing } from '../subscribers.ts'

export type Notification = Selectable<Tables['notification']>
export type NotificationRow = Notification & {
  payload: unknown
  overrides: unknown
  recipients: unknown
}
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
  after?: Date
  before?: Date
}

const columns = sql`n.*, e.payload, e.overrides, e.recipients`
const event = sql`event e on e.environment_id = n.environment_id and e.id = n.event_id`

/** Newest first, one more than asked, so that the caller sees whether there is more. */
export async function listNotifications(
  db: Db,
  env: Env,
  filter: NotificationFilter,
  { page, limit }: { page: number; limit: number },
): Promise<NotificationRow[]> {
  const where = sql.join([sql`n.environment_id = ${env.environmentId}`, ...conditionsOf(env, filter)], sql` and `)
  const { rows } = await sql<NotificationRow>`
    select ${columns} from (
      select n.* from notification n where ${where}
      order by n.id desc offset ${pageOffset(page, limit)} limit ${limit + 1}) n
    left join ${event} order by n.id desc`.execute(db)
  return rows
}

/** Of one subscriber, oldest first. */
export async function listNotificationsAfter(
  db: Db,
  env: Env,
  subscriberId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<NotificationRow[]> {
  const bound = after === null ? sql`true` : sql`n.id > ${after}::uuid`
  const { rows } = await sql<NotificationRow>`
    select ${columns} from (
      select n.* from notification n
      where n.environment_id = ${env.environmentId} and n.subscriber_id = ${subscriberId} and ${bound}
      order by n.id limit ${limit}) n
    left join ${event} order by n.id`.execute(db)
  return rows
}

export async function findNotification(db: Db, env: Env, id: string): Promise<NotificationRow | null> {
  const { rows } = await sql<NotificationRow>`
    select ${columns} from notification n left join ${event}
    where n.environment_id = ${env.environmentId} and n.id = ${id}`.execute(db)
  return rows[0] ?? null
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
