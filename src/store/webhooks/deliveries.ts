import { type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { sortedById } from '../insert-rows.ts'
import { keysetPage, type PageRequest } from '../keyset.ts'
import type { Tables } from '../schema.ts'

export type DeliveryRow = Selectable<Tables['webhook_delivery']>

/** One try, as it is kept with its delivery. */
export type Try = {
  number: number
  startedAt: string
  /** Null: nobody recorded its end. */
  endedAt: string | null
  outcome: 'delivered' | 'failed' | 'paced' | 'unknown'
  /** Of the HTTP reply. */
  status: number | null
  reply: string | null
}

/** Older ones are dropped. */
const mostTries = 20

/** A try that is committed and may begin. */
export type Taken = Pick<DeliveryRow, 'id' | 'type' | 'body' | 'number' | 'failures' | 'since'>

/*
 * Rows are found by an index, locked, and then changed where they lie (`ctid`), by nothing else. Of an endpoint that it has
 * not counted yet PostgreSQL expects one row: asked for its rows again, it compares each of ten thousand with each taken.
 */

/**
 * Takes what is due, the longest first, and writes the tries down before their first byte leaves. One that is taken while
 * a try of it is under way was never recorded: its worker died, and it may have arrived.
 */
export async function takeDeliveries(
  db: Db,
  env: Env,
  endpointId: string,
  { now, again, most }: { now: Date; again: Date; most: number },
): Promise<Taken[]> {
  const lost = sql`jsonb_build_object('number', d.number, 'startedAt', to_char(d.started_at at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'endedAt', null, 'outcome', 'unknown', 'status', null, 'reply', null)`
  const { rows } = await sql<Taken & { due_at: Date }>`
    with due as materialized (
      select d.ctid as place, d.next_at from webhook_delivery d
      where d.environment_id = ${env.environmentId} and d.endpoint_id = ${endpointId} and d.next_at <= ${now}
      order by d.next_at, d.id limit ${most} for update skip locked)
    update webhook_delivery d set number = d.number + 1, in_flight = true, started_at = ${now}, next_at = ${again},
      failures = d.failures + d.in_flight::int,
      tries = case when d.in_flight then ${withTry(lost)} else d.tries end
    from due where d.ctid = due.place
    returning d.id, d.type, d.body, d.number, d.failures, d.since, due.next_at as due_at`.execute(db)
  return rows.toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime() || (a.id < b.id ? -1 : 1))
}

/** Takes of those that are in pages still. Who calls has the lane. */
export async function takeFromPages(
  db: Db,
  env: Env,
  endpointId: string,
  { now, again, most }: { now: Date; again: Date; most: number },
): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
    select id, type, body, number, failures, since
    from begin_webhook_events(${env.environmentId}, ${endpointId}, ${most}::int, ${now}, ${again}) order by id`.execute(
    db,
  )
  return rows
}

export type Ending = {
  id: string
  /** Of the try: if it differs now, another worker went on. */
  number: number
  state: 'open' | 'delivered' | 'failed'
  nextAt: Date | null
  failures: number
  /** Null: nothing was sent, as if it had not been tried. */
  try: Try | null
}

/** A try is recorded once, by whoever comes first. Locked in the order of their ids, as by all others. */
export async function recordDeliveries(
  db: Db,
  env: Env,
  endpointId: string,
  endings: readonly Ending[],
): Promise<void> {
  await sql`
    with own as materialized (
      select e.*, o.place from jsonb_to_recordset(${JSON.stringify(sortedById(endings))}::jsonb)
        as e (id uuid, number integer, state text, "nextAt" timestamptz, failures smallint, try jsonb)
      cross join lateral (
        select d.ctid as place from webhook_delivery d
        where d.environment_id = ${env.environmentId} and d.endpoint_id = ${endpointId} and d.id = e.id
          and d.in_flight and d.number = e.number for no key update) o)
    update webhook_delivery d set in_flight = false, state = e.state, next_at = e."nextAt", failures = e.failures,
      number = case when e.try is null then d.number - 1 else d.number end,
      tries = case when e.try is null then d.tries else ${withTry(sql`e.try`)} end
    from own e where d.ctid = e.place`.execute(db)
}

function withTry(line: ReturnType<typeof sql>) {
  return sql`case when jsonb_array_length(d.tries) >= ${sql.lit(mostTries)} then d.tries - 0 else d.tries end || ${line}`
}

export type DeliveryFilter = { state?: string; type?: string; since?: Date; until?: Date }

export function listDeliveries(db: Db, env: Env, endpointId: string, filter: DeliveryFilter, page: PageRequest) {
  const conditions = [
    filter.state === undefined ? [] : sql`d.state = ${filter.state}`,
    filter.type === undefined ? [] : sql`d.type = ${filter.type}`,
    filter.since === undefined ? [] : sql`d.id >= uuid_at(${filter.since})`,
    filter.until === undefined ? [] : sql`d.id < uuid_at(${filter.until})`,
  ].flat()
  return keysetPage<DeliveryRow>(
    {
      db,
      select: sql`d.*`,
      from: sql`webhook_delivery d`,
      scope: sql`d.environment_id = ${env.environmentId} and d.endpoint_id = ${endpointId}`,
      filter: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
      id: sql`d.id`,
      columns: {},
      unindexed: filter.state !== undefined || filter.type !== undefined,
    },
    page,
  )
}

export async function findDelivery(db: Db, env: Env, endpointId: string, id: string): Promise<DeliveryRow | null> {
  const { rows } = await sql<DeliveryRow>`
    select * from webhook_delivery
    where environment_id = ${env.environmentId} and endpoint_id = ${endpointId} and id = ${id}`.execute(db)
  return rows[0] ?? null
}

const asNew = (now: Date) => sql`state = 'open', next_at = ${now}, failures = 0, since = ${now}`

/** It is sent again, by the same id. One that is being sent now stays as it is. */
export async function replayDelivery(
  db: Db,
  env: Env,
  endpointId: string,
  id: string,
  now: Date,
): Promise<DeliveryRow | null> {
  await sql`
    update webhook_delivery set ${asNew(now)}
    where environment_id = ${env.environmentId} and endpoint_id = ${endpointId} and id = ${id} and not in_flight`.execute(
    db,
  )
  return findDelivery(db, env, endpointId, id)
}

export type ReplayRange = { since: Date; until: Date; states: readonly string[] }

/** Those of a span of time, the oldest first. `last`: there may be more behind it. */
export async function replayDeliveries(
  db: Db,
  env: Env,
  endpointId: string,
  range: ReplayRange & { after: string | null },
  { now, most }: { now: Date; most: number },
): Promise<{ count: number; last: string | null }> {
  const { rows } = await sql<{ count: number; last: string | null }>`
    with chosen as materialized (
      select id from webhook_delivery
      where environment_id = ${env.environmentId} and endpoint_id = ${endpointId}
        and id >= coalesce(${range.after}::uuid, uuid_at(${range.since})) and id <> coalesce(${range.after}::uuid, ${nobody})
        and id < uuid_at(${range.until}) and state = any (${range.states}::text[]) and not in_flight
      order by id limit ${most} for update),
    replayed as (
      update webhook_delivery d set ${asNew(now)} from chosen
      where d.environment_id = ${env.environmentId} and d.endpoint_id = ${endpointId} and d.id = chosen.id)
    select count(*)::int as count, max(id::text) as last from chosen`.execute(db)
  const [found = { count: 0, last: null }] = rows
  return { count: found.count, last: found.count === most ? found.last : null }
}

const nobody = sql.lit('00000000-0000-0000-0000-000000000000')

/** For one endpoint alone. */
export async function insertDelivery(
  db: Db,
  env: Env,
  endpointId: string,
  { id, type, body }: Pick<DeliveryRow, 'id' | 'type' | 'body'>,
  now: Date,
): Promise<void> {
  await sql`
    insert into webhook_delivery (environment_id, endpoint_id, id, type, body, created_at, next_at, since)
    values (${env.environmentId}, ${endpointId}, ${id}, ${type}, ${body}, ${now}, ${now}, ${now})`.execute(db)
}

/** A batch of what is about a person who was deleted, delivered or not. That they were is still told. Null: nothing is left. */
export async function eraseDeliveries(db: Db, env: Env, subscriberId: string, batch: number): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    delete from webhook_delivery d using (
      select endpoint_id, id from webhook_delivery
      where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId} and type <> 'subscriber.deleted'
      order by id limit ${batch} for update) old
    where d.environment_id = ${env.environmentId} and d.endpoint_id = old.endpoint_id and d.id = old.id
    returning d.id`.execute(db)
  return rows[0]?.id ?? null
}
