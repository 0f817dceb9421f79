import { sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import type { NewDetail, SubscriptionPreferences } from '../subscription-details.ts'
import type { TopicRow } from '../topics.ts'

type Place = { topicId: string; subscriberId: string }

/** Those of the keys that topics have. */
export async function findTopics(db: Db, env: Env, keys: readonly string[]): Promise<Map<string, TopicRow>> {
  const { rows } = await sql<TopicRow>`
    select t.id, t.key, t.name, t.updated_at from unnest(${keys}::text[]) as wanted (key)
    join topic t on t.environment_id = ${env.environmentId} and t.key = wanted.key and t.deleted_at is null`.execute(db)
  return new Map(rows.map((row) => [row.key, row]))
}

/** Creates those that are missing, and renames those that have another name. The others are not touched. */
export async function saveTopics(
  db: Db,
  env: Env,
  topics: readonly { key: string; name?: string | undefined }[],
  now: Date,
): Promise<void> {
  if (topics.length === 0) return
  const rows = JSON.stringify(topics.map(({ key, name }) => ({ key, name: name ?? null, id: uuid7(now) })))
  const given = sql`jsonb_to_recordset(${rows}::jsonb) as given (key text, name text, id uuid)`
  await sql`
    insert into topic (environment_id, id, key, name, updated_at)
    select ${env.environmentId}, id, key, name, ${now} from ${given} order by key
    on conflict (environment_id, key) where deleted_at is null do nothing`.execute(db)
  await sql`
    update topic t set name = coalesce(held.given_name, t.name), by_person = false, updated_at = ${now}
    from (select h.id, given.name as given_name from ${given}
      join topic h on h.environment_id = ${env.environmentId} and h.key = given.key and h.deleted_at is null
      where h.by_person or (given.name is not null and given.name is distinct from h.name)
      order by h.id for no key update of h) as held
    where t.environment_id = ${env.environmentId} and t.id = held.id`.execute(db)
}

/** The same as `findTopics`, held against deletion until the transaction ends: nobody joins a deleted topic. */
export async function lockTopics(db: Db, env: Env, keys: readonly string[]): Promise<Map<string, TopicRow>> {
  const { rows } = await sql<TopicRow>`
    select t.id, t.key, t.name, t.updated_at from unnest(${keys}::text[]) as wanted (key)
    join topic t on t.environment_id = ${env.environmentId} and t.key = wanted.key and t.deleted_at is null
    order by t.id for share of t`.execute(db)
  return new Map(rows.map((row) => [row.key, row]))
}

/** Which of these are members. Ids are internal. */
export async function findMemberships(db: Db, env: Env, places: readonly Place[]): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select m.topic_id as "topicId", m.subscriber_id as "subscriberId"
    from unnest(${places.map((it) => it.topicId)}::uuid[], ${places.map((it) => it.subscriberId)}::uuid[])
      as wanted (topic_id, subscriber_id)
    join topic_subscription m on m.environment_id = ${env.environmentId} and m.topic_id = wanted.topic_id
      and m.subscriber_id = wanted.subscriber_id`.execute(db)
  return rows
}

/** Who was one already stays as he is. */
export async function insertMemberships(db: Db, env: Env, places: readonly Place[], now: Date): Promise<void> {
  if (places.length === 0) return
  const ids = places.map(() => uuid7(now))
  await sql`
    insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
    select ${env.environmentId}, wanted.topic_id, wanted.id, s.id
    from unnest(${ids}::uuid[], ${places.map((it) => it.topicId)}::uuid[], ${places.map((it) => it.subscriberId)}::uuid[])
      as wanted (id, topic_id, subscriber_id)
    join subscriber s on s.environment_id = ${env.environmentId} and s.id = wanted.subscriber_id
    order by wanted.topic_id, s.id for key share of s
    on conflict (environment_id, topic_id, subscriber_id) do nothing`.execute(db)
}

export type StoredDetail = Place & {
  identifier: string
  name: string | null
  contextKeys: string[]
  preferences: SubscriptionPreferences
}

/** What these members chose, in each of their subscriptions to these topics. */
export async function findDetails(db: Db, env: Env, places: readonly Place[]): Promise<StoredDetail[]> {
  if (places.length === 0) return []
  const { rows } = await sql<StoredDetail>`
    select d.topic_id as "topicId", d.subscriber_id as "subscriberId", d.identifier, d.name,
      d.context_keys as "contextKeys", d.preferences
    from (select distinct * from unnest(${places.map((it) => it.topicId)}::uuid[], ${places.map((it) => it.subscriberId)}::uuid[])
      as given (topic_id, subscriber_id)) as wanted
    join subscription_detail d on d.environment_id = ${env.environmentId} and d.topic_id = wanted.topic_id
      and d.subscriber_id = wanted.subscriber_id`.execute(db)
  return rows
}

/** At most one for each person, topic, identifier and contexts. Who left meanwhile is left out. */
export async function saveDetails(
  db: Db,
  env: Env,
  details: readonly Omit<NewDetail, 'id'>[],
  now: Date,
): Promise<void> {
  if (details.length === 0) return
  const rows = JSON.stringify(details.map((detail) => ({ ...detail, id: uuid7(now) })))
  await sql`
    insert into subscription_detail
      (environment_id, topic_id, subscriber_id, identifier, id, name, context_keys, preferences, updated_at)
    select ${env.environmentId}, given.topic_id, given.subscriber_id, given.identifier, given.id, given.name,
      array(select jsonb_array_elements_text(given.context_keys)), given.preferences, ${now}
    from jsonb_to_recordset(${rows}::jsonb) as given
      (topic_id uuid, subscriber_id uuid, identifier text, id uuid, name text, context_keys jsonb, preferences jsonb)
    join topic_subscription m on m.environment_id = ${env.environmentId} and m.topic_id = given.topic_id
      and m.subscriber_id = given.subscriber_id
    order by m.topic_id, m.subscriber_id for key share of m
    on conflict (environment_id, topic_id, subscriber_id, identifier, context_keys)
    do update set name = excluded.name, preferences = excluded.preferences, updated_at = excluded.updated_at`.execute(
    db,
  )
}
