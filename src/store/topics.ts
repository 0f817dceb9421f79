import { sql } from 'kysely'
import { uuid7 } from '../lib/uuid7.ts'
import { enterLoops } from './access/enter-loops.ts'
import type { Db, Env } from './database.ts'
import { keysetPage, type PageRequest } from './keyset.ts'
import { pageOffset } from './page-offset.ts'
import { containing, hasIndexableTerm } from './subscribers.ts'

export type TopicRow = { id: string; key: string; name: string | null; updated_at: Date }

const columns = sql`t.id, t.key, t.name, t.updated_at`

/** Null when the key is taken. */
export async function insertTopic(
  db: Db,
  env: Env,
  topic: { key: string; name?: string | undefined; byPerson?: boolean | undefined },
  now: Date,
): Promise<TopicRow | null> {
  const { rows } = await sql<TopicRow>`
    insert into topic as t (environment_id, id, key, name, updated_at, by_person)
    values (${env.environmentId}, ${uuid7(now)}, ${topic.key}, ${topic.name ?? null}, ${now}, ${topic.byPerson ?? false})
    on conflict (environment_id, key) where deleted_at is null do nothing
    returning ${columns}`.execute(db)
  return rows[0] ?? null
}

/** Null when there is no such topic, or when it has this name already. */
export async function renameTopic(db: Db, env: Env, key: string, name: string, now: Date): Promise<TopicRow | null> {
  const { rows } = await sql<TopicRow>`
    update topic t set name = ${name}, updated_at = ${now}
    where environment_id = ${env.environmentId} and key = ${key} and deleted_at is null and name is distinct from ${name}
    returning ${columns}`.execute(db)
  return rows[0] ?? null
}

/** A topic that a person made by joining is the server's as soon as the server speaks of it: it stays when empty. */
export async function keepTopic(db: Db, env: Env, key: string): Promise<void> {
  await sql`
    update topic set by_person = false
    where environment_id = ${env.environmentId} and key = ${key} and deleted_at is null and by_person`.execute(db)
}

export async function findTopic(db: Db, env: Env, key: string): Promise<TopicRow | null> {
  const { rows } = await sql<TopicRow>`
    select ${columns} from topic t
    where environment_id = ${env.environmentId} and key = ${key} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** Those of the keys that topics have. */
export async function findTopicKeys(db: Db, env: Env, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select t.key from unnest(${[...new Set(keys)]}::text[]) as wanted (key)
    join topic t on t.environment_id = ${env.environmentId} and t.key = wanted.key and t.deleted_at is null`.execute(db)
  return new Set(rows.map((row) => row.key))
}

/** Locks the topic against deletion until the transaction ends, so that nobody joins a deleted topic. */
export async function lockTopic(db: Db, env: Env, key: string): Promise<TopicRow | null> {
  const { rows } = await sql<TopicRow>`
    select ${columns} from topic t
    where environment_id = ${env.environmentId} and key = ${key} and deleted_at is null for share`.execute(db)
  return rows[0] ?? null
}

export async function markTopicDeleted(db: Db, env: Env, key: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('topic')
    .set({ deleted_at: now })
    .where('environment_id', '=', env.environmentId)
    .where('key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A topic that somebody made by joining it from a browser, and that nobody is in any more. */
export async function deleteEmptyTopic(db: Db, env: Env, id: string, now: Date): Promise<void> {
  const { rows } = await sql`
    select 1 from topic where environment_id = ${env.environmentId} and id = ${id} and by_person and deleted_at is null
    for update`.execute(db)
  if (rows.length === 0) return
  // Whoever joins holds the topic: he is in it now, or finds it deleted.
  await sql`
    update topic t set deleted_at = ${now}
    where t.environment_id = ${env.environmentId} and t.id = ${id} and not exists (
      select 1 from topic_subscription m where m.environment_id = t.environment_id and m.topic_id = t.id)`.execute(db)
}

export function listTopics(db: Db, env: Env, filter: { key?: string; name?: string }, page: PageRequest) {
  const conditions = [
    filter.key === undefined ? [] : sql`t.key like ${containing(filter.key)}`,
    filter.name === undefined ? [] : sql`t.name like ${containing(filter.name)}`,
  ].flat()
  return keysetPage<TopicRow>(
    {
      db,
      select: columns,
      from: sql`topic t`,
      scope: sql`t.environment_id = ${env.environmentId} and t.deleted_at is null`,
      filter: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
      id: sql`t.id`,
      columns: {
        updatedAt: { expression: sql`t.updated_at`, type: 'timestamptz' },
        key: { expression: sql`t.key`, type: 'text' },
        name: { expression: sql`coalesce(t.name, '')`, type: 'text' },
      },
      unindexed: conditions.length > 0 && !hasIndexableTerm([filter.key, filter.name]),
    },
    page,
  )
}

/** Oldest first, with how many there are. `key`: only the one with this key. */
export async function listTopicsByPage(
  db: Db,
  env: Env,
  { page, limit, key }: { page: number; limit: number; key: string | null },
): Promise<{ rows: TopicRow[]; totalCount: number }> {
  const isMeant = sql`
    t.environment_id = ${env.environmentId} and t.deleted_at is null and ${key === null ? sql`true` : sql`t.key = ${key}`}`
  const { rows } = await sql<TopicRow>`
    select ${columns} from topic t where ${isMeant}
    order by t.id offset ${pageOffset(page, limit)} limit ${limit}`.execute(db)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from topic t where ${isMeant}`.execute(db)
  return { rows, totalCount: counted[0]?.count ?? 0 }
}

/** Deletes a batch of members of deleted topics, then the topics without members; returns how many rows. */
export async function purgeDeletedTopics(db: Db, batch: number): Promise<number> {
  const { numAffectedRows: members = 0n } = await sql`
    delete from topic_subscription s using (
      select m.environment_id, m.topic_id, m.id from topic t
      join topic_subscription m on m.environment_id = t.environment_id and m.topic_id = t.id
      where t.deleted_at is not null and t.environment_id <> all (${enterLoops}) limit ${batch}) gone
    where s.environment_id = gone.environment_id and s.topic_id = gone.topic_id and s.id = gone.id`.execute(db)
  if (members > 0n) return Number(members)
  const { numAffectedRows: topics = 0n } = await sql`
    delete from topic where (environment_id, id) in (
      select t.environment_id, t.id from topic t where t.deleted_at is not null
        and t.environment_id <> all (${enterLoops}) and not exists (
        select 1 from topic_subscription m where m.environment_id = t.environment_id and m.topic_id = t.id)
      limit ${batch})`.execute(db)
  return Number(topics)
}

/** Also deleted topics until they are purged: history refers to them. */
export async function listTopicsById(db: Db, env: Env, ids: readonly string[]): Promise<{ id: string; key: string }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; key: string }>`
    select t.id, t.key from unnest(${ids}::uuid[]) as wanted (id)
    join topic t on t.environment_id = ${env.environmentId} and t.id = wanted.id`.execute(db)
  return rows
}
