import { sql } from 'kysely'
import type { Db, Env } from './database.ts'

/** What a person chose for one workflow in a subscription to a topic; the condition is JSON Logic. */
export type SubscriptionPreference = { enabled: boolean; condition?: unknown }
/** By workflow id. */
export type SubscriptionPreferences = Record<string, SubscriptionPreference>

/** A subscription of a person to a topic. */
export type SubscriptionRow = {
  id: string
  topic_id: string
  topic_key: string
  subscriber_id: string
  /** Empty: the plain one, which every member has who has no other. */
  identifier: string
  name: string | null
  context_keys: string[]
  preferences: SubscriptionPreferences
  /** Null: nothing was ever chosen. */
  updated_at: Date | null
}

const columns = sql`coalesce(d.id, m.id) as id, m.topic_id, t.key as topic_key, m.subscriber_id,
  coalesce(d.identifier, '') as identifier, d.name, coalesce(d.context_keys, '{}') as context_keys,
  coalesce(d.preferences, '{}') as preferences, d.updated_at`
const joined = sql`topic_subscription m
  join topic t on t.environment_id = m.environment_id and t.id = m.topic_id
  left join subscription_detail d on d.environment_id = m.environment_id and d.topic_id = m.topic_id
    and d.subscriber_id = m.subscriber_id`

/** The subscriptions of one person to one topic, the oldest first. */
export async function listOwnSubscriptions(
  db: Db,
  env: Env,
  { topicId, subscriberId }: { topicId: string; subscriberId: string },
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from ${joined}
    where m.environment_id = ${env.environmentId} and m.topic_id = ${topicId} and m.subscriber_id = ${subscriberId}
    order by 1`.execute(db)
  return rows
}

/** The same of several members, who are named by their internal ids. */
export async function listSubscriptionsOf(
  db: Db,
  env: Env,
  topicId: string,
  subscriberIds: readonly string[],
): Promise<SubscriptionRow[]> {
  if (subscriberIds.length === 0) return []
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from unnest(${subscriberIds}::uuid[]) as wanted (id)
    cross join lateral (select m.* from topic_subscription m
      where m.environment_id = ${env.environmentId} and m.topic_id = ${topicId} and m.subscriber_id = wanted.id) m
    join topic t on t.environment_id = m.environment_id and t.id = m.topic_id
    left join subscription_detail d on d.environment_id = m.environment_id and d.topic_id = m.topic_id
      and d.subscriber_id = m.subscriber_id
    order by 1`.execute(db)
  return rows
}

/** All subscriptions in which one subscriber chose something, for the export. */
export async function listAllDetails(db: Db, env: Env, subscriberId: string): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from ${joined}
    where m.environment_id = ${env.environmentId} and m.subscriber_id = ${subscriberId} and t.deleted_at is null
      and d.id is not null
    order by 1`.execute(db)
  return rows
}

/** Whoever changes what this person has of the topic waits for this transaction. False: not a member. */
export async function lockMembership(
  db: Db,
  env: Env,
  { topicId, subscriberId }: { topicId: string; subscriberId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from topic_subscription
    where environment_id = ${env.environmentId} and topic_id = ${topicId} and subscriber_id = ${subscriberId}
    for no key update`.execute(db)
  return rows.length > 0
}

/** The topic of a person's subscription in these contexts, by its id or identifier, or by the key of the topic. */
export async function findTopicOfSubscription(
  db: Db,
  env: Env,
  subscriberId: string,
  by: { ref: string; topicKey: string | null; contextKeys: readonly string[] },
): Promise<{ id: string; key: string } | null> {
  const { rows } = await sql<{ id: string; key: string }>`
    select t.id, t.key from ${joined}
    where m.environment_id = ${env.environmentId} and m.subscriber_id = ${subscriberId} and t.deleted_at is null
      and coalesce(d.context_keys, '{}') = ${by.contextKeys}::text[]
      and (d.identifier = ${by.ref} or t.key = ${by.topicKey} or coalesce(d.id, m.id)::text = ${by.ref})
    order by m.id limit 1`.execute(db)
  return rows[0] ?? null
}

/** Who has a subscription to the topic with this identifier or id. At most two are read. */
export async function findOwners(
  db: Db,
  env: Env,
  topicId: string,
  identifier: string,
  id: string | null,
): Promise<string[]> {
  const { rows } = await sql<{ subscriber_id: string }>`
    select subscriber_id from topic_subscription
    where environment_id = ${env.environmentId} and topic_id = ${topicId} and id = ${id}
    union
    select subscriber_id from subscription_detail
    where environment_id = ${env.environmentId} and topic_id = ${topicId} and (identifier = ${identifier} or id = ${id})
    limit 2`.execute(db)
  return rows.map((row) => row.subscriber_id)
}

/** False: he was a member already. Who joins and leaves at the same moment waits for this transaction. */
export async function insertMembership(
  db: Db,
  env: Env,
  { topicId, subscriberId, id }: { topicId: string; subscriberId: string; id: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
    select ${env.environmentId}, ${topicId}, ${id}, s.id from subscriber s
    where s.environment_id = ${env.environmentId} and s.id = ${subscriberId} for key share
    on conflict (environment_id, topic_id, subscriber_id) do nothing`.execute(db)
  return numAffectedRows > 0n
}

export type NewDetail = Omit<SubscriptionRow, 'topic_key' | 'updated_at'>

export async function saveDetail(db: Db, env: Env, detail: NewDetail, now: Date): Promise<void> {
  await sql`
    insert into subscription_detail
      (environment_id, topic_id, subscriber_id, identifier, id, name, context_keys, preferences, updated_at)
    values (${env.environmentId}, ${detail.topic_id}, ${detail.subscriber_id}, ${detail.identifier}, ${detail.id},
      ${detail.name}, ${detail.context_keys}, ${JSON.stringify(detail.preferences)}, ${now})
    on conflict (environment_id, topic_id, subscriber_id, identifier, context_keys)
    do update set name = excluded.name, preferences = excluded.preferences, updated_at = excluded.updated_at`.execute(
    db,
  )
}

export async function deleteDetail(db: Db, env: Env, detail: NewDetail): Promise<void> {
  await sql`
    delete from subscription_detail
    where environment_id = ${env.environmentId} and topic_id = ${detail.topic_id}
      and subscriber_id = ${detail.subscriber_id} and identifier = ${detail.identifier}
      and context_keys = ${detail.context_keys}::text[]`.execute(db)
}

/** How many topics a person is in, counted up to `most`. */
export async function countTopicsOf(db: Db, env: Env, subscriberId: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from topic_subscription
      where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId} limit ${most}) counted`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export type Detail = Pick<SubscriptionRow, 'topic_id' | 'subscriber_id' | 'context_keys'> & {
  preference: SubscriptionPreference | null
}

/** What these members chose for one workflow in each of their subscriptions. Who chose nothing at all is not among them. */
export async function listDetails(
  db: Db,
  env: Env,
  workflowId: string,
  members: readonly { topicId: string; subscriberId: string }[],
): Promise<Detail[]> {
  const { rows } = await sql<Detail>`
    select d.topic_id, d.subscriber_id, d.context_keys, d.preferences -> ${workflowId} as preference
    from unnest(${members.map((it) => it.topicId)}::uuid[], ${members.map((it) => it.subscriberId)}::uuid[])
      as wanted (topic_id, subscriber_id)
    join subscription_detail d on d.environment_id = ${env.environmentId} and d.topic_id = wanted.topic_id
      and d.subscriber_id = wanted.subscriber_id
    order by d.id`.execute(db)
  return rows
}

/** Of these people, who is a member of which of these topics. */
export async function listMemberships(
  db: Db,
  env: Env,
  topicKeys: readonly string[],
  subscriberIds: readonly string[],
): Promise<{ topicId: string; subscriberId: string; topicKey: string }[]> {
  const { rows } = await sql<{ topicId: string; subscriberId: string; topicKey: string }>`
    select m.topic_id as "topicId", m.subscriber_id as "subscriberId", t.key as "topicKey"
    from unnest(${topicKeys}::text[]) as wanted (key)
    join topic t on t.environment_id = ${env.environmentId} and t.key = wanted.key and t.deleted_at is null
    cross join unnest(${subscriberIds}::uuid[]) as person (id)
    join topic_subscription m on m.environment_id = t.environment_id and m.topic_id = t.id
      and m.subscriber_id = person.id`.execute(db)
  return rows
}
