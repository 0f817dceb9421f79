import { type RawBuilder, sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import type { EventType } from './event-types.ts'

export type Source = {
  /** Rows `g (event_id, type, …)`. */
  given: RawBuilder<unknown>
  about: RawBuilder<unknown>
  subscriberId: RawBuilder<unknown>
  /** The text of a JSON object. */
  data: RawBuilder<unknown>
}

/** One page for each endpoint that wants to hear of any of it. */
export async function tellPage(db: Db, env: Env, now: Date, source: Source): Promise<void> {
  const end = `","timestamp":"${now.toISOString()}","environmentId":"${env.environmentId}","data":`
  await sql`
    insert into webhook_page (environment_id, endpoint_id, id, created_at, size, ids, types, subscriber_ids, bodies)
    select ${env.environmentId}, e.id, ${uuid7(now)}, ${now}::timestamptz, count(*), array_agg(g.event_id), array_agg(g.type),
      array_agg(${source.subscriberId}), array_agg('{"type":"' || g.type || ${end}::text || ${source.data} || '}')
    from ${source.given} ${source.about}
    join webhook_endpoint e on e.environment_id = ${env.environmentId} and e.state = 'enabled'
      and (e.event_types is null or g.type = any (e.event_types))
    group by e.id order by e.id`.execute(db)
}

/** `subscriberId`: whom it is about. */
export type Known = { type: EventType; subscriberId: string; data: object }

// JSON has no such character but as an escape. An array of texts would be quoted, sent and parsed at twice its length.
const separator = '\u001f'

/** The same, of what need not be looked up. */
export async function tellKnown(db: Db, env: Env, events: readonly Known[], now: Date): Promise<void> {
  const [timestamp, { environmentId }] = [now.toISOString(), env]
  const bodies = events.map(({ type, data }) => JSON.stringify({ type, timestamp, environmentId, data }))
  await sql`
    insert into webhook_page (environment_id, endpoint_id, id, created_at, size, ids, types, subscriber_ids, bodies)
    select ${environmentId}, e.id, ${uuid7(now)}, ${now}::timestamptz, wanted.*
    from webhook_endpoint e cross join lateral (
      select count(*) as size, array_agg(g.id), array_agg(g.type), array_agg(g.subscriber_id), array_agg(g.body)
      from unnest(${events.map(() => uuid7(now))}::uuid[], ${events.map(({ type }) => type)}::text[],
        ${events.map(({ subscriberId }) => subscriberId)}::uuid[], string_to_array(${bodies.join(separator)}, ${separator}))
        as g (id, type, subscriber_id, body)
      where e.event_types is null or g.type = any (e.event_types)) wanted
    where e.environment_id = ${environmentId} and e.state = 'enabled' and wanted.size > 0
    order by e.id`.execute(db)
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

/** Turns the oldest events in pages into deliveries. */
export async function unfoldPages(db: Db, env: Env, endpointId: string, most: number): Promise<void> {
  await lockPages(db, env, endpointId)
  await sql`
    select 1 from begin_webhook_events(${env.environmentId}, ${endpointId}, ${most}::int, null, null)`.execute(db)
}

/** Nobody else takes anything out of its pages meanwhile. */
async function lockPages(db: Db, env: Env, endpointId: string | null): Promise<void> {
  await sql`
    select 1 from webhook_endpoint where environment_id = ${env.environmentId} and ${endpointId === null ? sql`true` : sql`id = ${endpointId}`}
    order by id for no key update`.execute(db)
}

export async function hasPages(db: Db, env: Env, endpointId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from webhook_page where environment_id = ${env.environmentId} and endpoint_id = ${endpointId} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Takes what is about a person out of a batch of pages. That they were deleted is still told. False: nothing is left. */
export async function eraseFromPages(db: Db, env: Env, subscriberId: string, batch: number): Promise<boolean> {
  const isErased = sql`(event.subscriber_id = ${subscriberId} and event.type <> 'subscriber.deleted')`
  const found = sql`
    select o.endpoint_id, o.id from webhook_page o
    where o.environment_id = ${env.environmentId} and ${subscriberId}::uuid = any (o.subscriber_ids)
      and exists (select 1 from unnest(o.types, o.subscriber_ids) as event (type, subscriber_id) where ${isErased})
    order by o.endpoint_id, o.id limit ${batch}`
  if ((await found.execute(db)).rows.length === 0) return false
  await lockPages(db, env, null)
  const { rows } = await sql<{ endpoint_id: string; id: string; size: number }>`
    update webhook_page p set begun = 0, (size, ids, types, subscriber_ids, bodies) = (
      select count(*), coalesce(array_agg(event.id), '{}'), coalesce(array_agg(event.type), '{}'),
        coalesce(array_agg(event.subscriber_id), '{}'), coalesce(array_agg(event.body), '{}')
      from unnest(p.ids, p.types, p.subscriber_ids, p.bodies) with ordinality as event (id, type, subscriber_id, body, place)
      where event.place > p.begun and ${isErased} is not true)
    from (${found}) old
    where p.environment_id = ${env.environmentId} and p.endpoint_id = old.endpoint_id and p.id = old.id
    returning p.endpoint_id, p.id, p.size`.execute(db)
  // Lanes would go through them a few at a time, and others' events behind them would wait.
  const empty = rows.filter(({ size }) => size === 0)
  if (empty.length > 0)
    await sql`
      delete from webhook_page p using unnest(${empty.map((it) => it.endpoint_id)}::uuid[], ${empty.map((it) => it.id)}::uuid[])
        as gone (endpoint_id, id)
      where p.environment_id = ${env.environmentId} and p.endpoint_id = gone.endpoint_id and p.id = gone.id`.execute(db)
  // Also if a lane was faster. Who goes on to the deliveries has locked no endpoint: whoever records an answer locks its
  // delivery first.
  return true
}
