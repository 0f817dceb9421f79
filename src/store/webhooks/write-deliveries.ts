import { type RawBuilder, sql } from 'kysely'
import type { Db, Env } from '../database.ts'

export type Source = {
  /** Rows `g (event_id, type, …)`. */
  given: RawBuilder<unknown>
  about: RawBuilder<unknown>
  subscriberId: RawBuilder<unknown>
  /** The text of a JSON object. */
  data: RawBuilder<unknown>
}

/** One row for each event and each endpoint that wants to hear of it. */
export async function writeDeliveries(db: Db, env: Env, now: Date, source: Source): Promise<void> {
  const end = `","timestamp":"${now.toISOString()}","environmentId":"${env.environmentId}","data":`
  await sql`
    insert into webhook_delivery
      (environment_id, endpoint_id, id, type, subscriber_id, body, created_at, next_at, since)
    select e.environment_id, e.id, g.event_id, g.type, ${source.subscriberId},
      '{"type":"' || g.type || ${end}::text || ${source.data} || '}',
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from ${source.given} ${source.about}
    join webhook_endpoint e on e.environment_id = ${env.environmentId} and e.state = 'enabled'
      and (e.event_types is null or g.type = any (e.event_types))
    order by e.id, g.event_id`.execute(db)
}

/**
 * `s.subscriber_id` and `w.identifier`: as the caller of the API knows them. Looked up one by one: in a join PostgreSQL may
 * read everybody in the environment.
 */
export function names(env: Env, alias: string): RawBuilder<unknown> {
  return sql`left join lateral (select r.subscriber_id from subscriber r
      where r.environment_id = ${env.environmentId} and r.id = ${sql.ref(`${alias}.subscriber_id`)} offset 0) s on true
    left join lateral (select r.identifier from workflow r
      where r.environment_id = ${env.environmentId} and r.id = ${sql.ref(`${alias}.workflow_id`)} offset 0) w on true`
}
