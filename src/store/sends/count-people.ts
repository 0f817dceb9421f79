import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

export async function countSubscribers(db: Db, env: Env): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from subscriber where environment_id = ${env.environmentId}`.execute(db)
  return rows[0]?.n ?? 0
}

export type Crowd = {
  named: readonly string[]
  topics: readonly { key: string; exclude: readonly string[] }[]
  /** Is reached through no topic. */
  actorId: string | null
}

/** Who is in several topics, or named besides, counts once. */
export async function countCrowd(db: Db, env: Env, { named, topics, actorId }: Crowd): Promise<number> {
  const excluded = topics.flatMap(({ key, exclude }) => exclude.map((id) => ({ key, id })))
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select unnest(${named}::text[]) as id
      union
      select s.subscriber_id from unnest(${topics.map(({ key }) => key)}::text[]) as given (key)
      join topic t on t.environment_id = ${env.environmentId} and t.key = given.key and t.deleted_at is null
      join topic_subscription m on m.environment_id = ${env.environmentId} and m.topic_id = t.id
      join subscriber s on s.environment_id = ${env.environmentId} and s.id = m.subscriber_id
      where s.subscriber_id is distinct from ${actorId} and not exists (
        select 1 from unnest(${excluded.map(({ key }) => key)}::text[], ${excluded.map(({ id }) => id)}::text[]) as x (key, id)
        where x.key = t.key and x.id = s.subscriber_id)) people`.execute(db)
  return rows[0]?.n ?? 0
}
