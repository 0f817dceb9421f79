import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Actor } from './grants.ts'

export type ActorName = { name: string; type: Actor['type'] }

/**
 * What those are called who made something: by the ids that rows keep, of a key, a person, or a session that a link opened.
 * A key of another environment, and a person who left, are called as in the record of changes; later nobody knows them.
 */
export async function findActorNames(
  db: Db,
  env: Env,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, ActorName>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<ActorName & { id: string }>`
    select i.id, coalesce(k.name, p.name, r.actor_name) as name,
      case when k.id is not null then 'key' when p.id is not null then 'person' else r.actor_type end as type
    from unnest(${wanted}::uuid[]) as i (id)
    left join api_key k on k.environment_id = ${env.environmentId} and k.id = i.id
    left join member m on m.organization_id = ${env.organizationId} and m.person_id = i.id
    left join person p on p.id = m.person_id
    left join lateral (
      select c.actor_name, c.actor_type from change_record c
      where c.organization_id = ${env.organizationId} and c.actor_id = i.id::text
      order by c.id desc limit 1) r on k.id is null and p.id is null
    where coalesce(k.name, p.name, r.actor_name) is not null`.execute(db)
  return new Map(rows.map(({ id, name, type }) => [id, { name, type }]))
}
