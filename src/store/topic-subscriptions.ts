import { sql } from 'kysely'
import { uuid7 } from '../lib/uuid7.ts'
import type { Db, Env } from './database.ts'
import { keysetPage, type PageRequest } from './keyset.ts'
import type { SubscriberRow } from './subscribers.ts'

export type TopicSubscriptionRow = {
  id: string
  topic_id: string
  topic_key: string
  topic_name: string | null
  topic_updated_at: Date
  subscriber_id: string
  external_id: string
  first_name: string | null
  last_name: string | null
  avatar: string | null
  email: string | null
}

const columns = sql`m.id, t.id as topic_id, t.key as topic_key, t.name as topic_name, t.updated_at as topic_updated_at,
  s.id as subscriber_id, s.subscriber_id as external_id, s.first_name, s.last_name, s.avatar, s.email`
// Written so that no partial index of topics fits: before the first ANALYZE the planner would join by `topic_key` and
// read every topic for every member.
const topicNotDeleted = sql`coalesce(t.deleted_at is null, false)`
const joined = sql`topic_subscription m
  join topic t on t.environment_id = m.environment_id and t.id = m.topic_id
  join subscriber s on s.environment_id = m.environment_id and s.id = m.subscriber_id`

/** Adds the subscribers that exist, in one statement; current members stay as they are. */
export async function addTopicMembers(
  db: Db,
  env: Env,
  topicId: string,
  subscriberIds: readonly string[],
  now: Date,
): Promise<TopicSubscriptionRow[]> {
  const ids = subscriberIds.map(() => uuid7(now))
  await sql`
    insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
    select ${env.environmentId}, ${topicId}, wanted.id, s.id
    from unnest(${ids}::uuid[], ${subscriberIds}::text[]) as wanted (id, subscriber_id)
    join subscriber s on s.environment_id = ${env.environmentId} and s.subscriber_id = wanted.subscriber_id
    order by s.id
    for key share of s
    on conflict (environment_id, topic_id, subscriber_id) do nothing`.execute(db)
  await addPlainSubscriptions(db, env, topicId, subscriberIds, now)
  return listTopicMembers(db, env, topicId, subscriberIds)
}

/** Who subscribed himself under other names only gets the plain subscription as well. */
async function addPlainSubscriptions(
  db: Db,
  env: Env,
  topicId: string,
  subscriberIds: readonly string[],
  now: Date,
): Promise<void> {
  const ids = subscriberIds.map(() => uuid7(now))
  await sql`
    insert into subscription_detail (environment_id, topic_id, subscriber_id, identifier, id, updated_at)
    select ${env.environmentId}, ${topicId}, s.id, '', wanted.id, ${now}
    from unnest(${ids}::uuid[], ${subscriberIds}::text[]) as wanted (id, subscriber_id)
    join subscriber s on s.environment_id = ${env.environmentId} and s.subscriber_id = wanted.subscriber_id
    join topic_subscription m on m.environment_id = s.environment_id and m.topic_id = ${topicId} and m.subscriber_id = s.id
    where exists (
      select 1 from subscription_detail d
      where d.environment_id = ${env.environmentId} and d.topic_id = ${topicId} and d.subscriber_id = s.id)
    order by s.id
    -- Who leaves at this moment is waited for.
    for key share of m
    on conflict (environment_id, topic_id, subscriber_id, identifier, context_keys) do nothing`.execute(db)
}

export async function removeTopicMembers(
  db: Db,
  env: Env,
  topicId: string,
  subscriberIds: readonly string[],
): Promise<TopicSubscriptionRow[]> {
  const members = await listTopicMembers(db, env, topicId, subscriberIds)
  const { rows } = await sql<{ id: string }>`
    delete from topic_subscription m using unnest(${members.map((member) => member.id)}::uuid[]) as gone (id)
    where m.environment_id = ${env.environmentId} and m.topic_id = ${topicId} and m.id = gone.id
    returning m.id`.execute(db)
  const gone = new Set(rows.map((row) => row.id))
  return members.filter((member) => gone.has(member.id))
}

/** Of these subscribers, those who are members. */
export async function listTopicMembers(db: Db, env: Env, topicId: string, subscriberIds: readonly string[]) {
  const { rows } = await sql<TopicSubscriptionRow>`
    select ${columns} from ${joined}
    join unnest(${subscriberIds}::text[]) as wanted (subscriber_id) on wanted.subscriber_id = s.subscriber_id
    where m.environment_id = ${env.environmentId} and m.topic_id = ${topicId}
    order by m.id`.execute(db)
  return rows
}

export function listTopicSubscriptions(
  db: Db,
  env: Env,
  of: { topicId: string } | { subscriberId: string },
  filter: { subscriberId?: string; key?: string },
  page: PageRequest,
) {
  const scope =
    'topicId' in of ? sql`m.topic_id = ${of.topicId}` : sql`m.subscriber_id = ${of.subscriberId} and ${topicNotDeleted}`
  const conditions = [
    filter.subscriberId === undefined ? [] : sql`s.subscriber_id = ${filter.subscriberId}`,
    filter.key === undefined ? [] : sql`t.key = ${filter.key}`,
  ].flat()
  return keysetPage<TopicSubscriptionRow>(
    {
      db,
      select: columns,
      from: joined,
      scope: sql`m.environment_id = ${env.environmentId} and ${scope}`,
      filter: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
      id: sql`m.id`,
      columns: {},
    },
    page,
  )
}

/** Every topic of one subscriber, for the export. */
export async function listAllMemberships(db: Db, env: Env, subscriberId: string): Promise<TopicSubscriptionRow[]> {
  const { rows } = await sql<TopicSubscriptionRow>`
    select ${columns} from ${joined}
    where m.environment_id = ${env.environmentId} and m.subscriber_id = ${subscriberId} and ${topicNotDeleted}
    order by m.id`.execute(db)
  return rows
}

/** Members in the order they joined. Those who join while a large topic is read come last and are reached too. */
export async function listMembersAfter(db: Db, env: Env, topicId: string, after: string | null, limit: number) {
  const bound = after === null ? sql`true` : sql`m.id > ${after}::uuid`
  const { rows } = await sql<{ membershipId: string } & SubscriberRow>`
    select m.id as "membershipId", s.* from topic_subscription m
    join subscriber s on s.environment_id = m.environment_id and s.id = m.subscriber_id
    where m.environment_id = ${env.environmentId} and m.topic_id = ${topicId} and ${bound}
    order by m.id limit ${limit}`.execute(db)
  return rows
}
