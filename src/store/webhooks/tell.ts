import { type RawBuilder, sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import { withinIds } from '../id-bounds.ts'
import type { EventType } from './event-types.ts'
import { isWanted } from './wanted.ts'

/*
 * Writes down, in the transaction that changes rows, what endpoints are to be told of it: one statement for a page, and
 * none where nobody listens. Bodies hold ids, states and times: no names, addresses or texts.
 */

/** A row that changed. `id`: its own. */
export type Change = { id: string; type: EventType }

export async function tellOfMessages(db: Db, env: Env, changes: readonly Change[], now: Date): Promise<void> {
  const wanted = changes.filter(({ type }) => isWanted(db, type))
  if (wanted.length === 0) return
  const ids = wanted.map(({ id }) => id)
  await insertDeliveries(db, env, now, {
    given: given(wanted, now),
    about: sql`${eachOf('message', env, ids, 'm')} ${names(env, 'm')}`,
    subscriberId: sql`m.subscriber_id`,
    data: sql`'messageId', m.id, 'notificationId', m.notification_id, 'transactionId', m.transaction_id,
      'subscriberId', s.subscriber_id, 'workflowId', w.identifier, 'channel', m.channel, 'providerId', m.provider_id,
      'status', m.status, 'errorId', m.error_id, 'seen', m.seen, 'read', m.read, 'archived', m.archived_at is not null,
      'snoozedUntil', ${iso('m.snoozed_until')}`,
  })
}

/** Also of those that the same transaction deleted. */
export async function tellOfSubscribers(
  db: Db,
  env: Env,
  type: EventType,
  people: readonly { id: string; subscriber_id: string }[],
  now: Date,
): Promise<void> {
  if (people.length === 0 || !isWanted(db, type)) return
  const changes = people.map(({ id }) => ({ id, type }))
  await insertDeliveries(db, env, now, {
    given: given(changes, now),
    about: sql`join unnest(${people.map(({ id }) => id)}::uuid[], ${people.map((it) => it.subscriber_id)}::text[])
      as s (id, subscriber_id) on s.id = g.id`,
    subscriberId: sql`s.id`,
    data: sql`'subscriberId', s.subscriber_id`,
  })
}

/** What a person chose for one workflow, or (null) for all of them. */
export async function tellOfPreferences(
  db: Db,
  env: Env,
  changed: readonly { subscriberId: string; workflowId: string | null }[],
  now: Date,
): Promise<void> {
  const type = 'preference.updated'
  if (changed.length === 0 || !isWanted(db, type)) return
  const people = changed.map((it) => it.subscriberId)
  const workflows = changed.map((it) => it.workflowId)
  await insertDeliveries(db, env, now, {
    given: sql`unnest(${changed.map(() => uuid7(now))}::uuid[], ${changed.map(() => type)}::text[], ${people}::uuid[],
      ${workflows}::uuid[]) as g (event_id, type, id, workflow_id)`,
    about: sql`join subscriber s on s.environment_id = ${env.environmentId} and s.id = g.id
      left join workflow w on w.environment_id = ${env.environmentId} and w.id = g.workflow_id
      left join subscriber_preference p on p.environment_id = ${env.environmentId} and p.subscriber_id = g.id
        and p.scope = coalesce(g.workflow_id, g.id)
      left join subscriber_schedule h on h.environment_id = ${env.environmentId} and h.subscriber_id = g.id
        and g.workflow_id is null`,
    subscriberId: sql`g.id`,
    data: sql`'subscriberId', s.subscriber_id, 'workflowId', w.identifier, 'enabled', p.choices -> 'all',
      'channels', coalesce(p.choices - 'all', '{}'), 'schedule', case when h.subscriber_id is not null then
        json_build_object('isEnabled', h.enabled, 'weeklySchedule', h.weekly) end`,
  })
}

export async function tellOfWorkflow(db: Db, env: Env, change: Change, now: Date): Promise<void> {
  if (!isWanted(db, change.type)) return
  await insertDeliveries(db, env, now, {
    given: given([change], now),
    about: sql`join workflow w on w.environment_id = ${env.environmentId} and w.id = g.id`,
    subscriberId: sql`null::uuid`,
    data: sql`'workflowId', w.identifier, 'name', w.name, 'active', w.active, 'version', w.version`,
  })
}

/**
 * Of these notifications, steps of which ended just now: those whose last step it was, each once. Whoever ends two steps
 * of one notification at the same time waits for the other here, so that the last one sees both.
 */
export async function tellOfCompleted(db: Db, env: Env, ids: readonly string[], now: Date): Promise<void> {
  const type = 'notification.completed'
  if (ids.length === 0 || !isWanted(db, type)) return
  const own = [...new Set(ids)].sort()
  const notification = sql`notification n on n.environment_id = ${env.environmentId} and n.id = g.id and ${withinIds('n.id', own)}`
  await sql`
    select 1 from unnest(${own}::uuid[]) as g (id) join ${notification}
    where n.completed_at is null order by n.id for no key update of n`.execute(db)
  const { rows } = await sql<{ id: string }>`
    update notification n set completed_at = ${now} from unnest(${own}::uuid[]) as g (id)
    where n.environment_id = ${env.environmentId} and n.id = g.id and ${withinIds('n.id', own)} and n.completed_at is null
      and (select bool_and(j.status = any (finished_statuses())) from ${jobsOf(env)})
    returning n.id`.execute(db)
  await tellOfEnded(
    db,
    env,
    rows.map(({ id }) => id),
    now,
  )
}

// As finished_statuses() says.
const finished = ['completed', 'failed', 'skipped', 'canceled', 'merged']

/** Of new notifications with all their steps: those that have nothing left to do, if anybody is told of it. */
export function endedAtOnce(db: Db, jobs: readonly { notification_id: string; status: string }[]): Set<string> {
  if (!isWanted(db, 'notification.completed')) return new Set()
  const ended = new Set(jobs.map((job) => job.notification_id))
  for (const { notification_id, status } of jobs) if (!finished.includes(status)) ended.delete(notification_id)
  return ended
}

/** Of those that have `completed_at` since this transaction. */
export async function tellOfEnded(db: Db, env: Env, ids: readonly string[], now: Date): Promise<void> {
  const type = 'notification.completed'
  if (ids.length === 0 || !isWanted(db, type)) return
  await insertDeliveries(db, env, now, {
    given: given(
      ids.map((id) => ({ id, type })),
      now,
    ),
    about: sql`${eachOf('notification', env, ids, 'n')} ${names(env, 'n')}`,
    subscriberId: sql`n.subscriber_id`,
    data: sql`'notificationId', n.id, 'transactionId', n.transaction_id, 'subscriberId', s.subscriber_id,
      'workflowId', w.identifier, 'steps', (
        select json_agg(json_build_object('type', j.type, 'status', j.status) order by j.step_index) from ${jobsOf(env)})`,
  })
}

/**
 * The row of each `g.id`. Looked up one by one: PostgreSQL expects one new row where there are hundreds, and would compare
 * each of them with each id.
 */
function eachOf(
  table: 'message' | 'notification',
  env: Env,
  ids: readonly string[],
  alias: string,
): RawBuilder<unknown> {
  return sql`cross join lateral (
    select r.* from ${sql.table(table)} r
    where r.environment_id = ${env.environmentId} and r.id = g.id and ${withinIds('r.id', ids)} offset 0) ${sql.ref(alias)}`
}

/** A job's id holds its notification's time: the primary key finds it. */
function jobsOf(env: Env): RawBuilder<unknown> {
  return sql`job j where j.environment_id = ${env.environmentId} and j.notification_id = n.id
    and j.id between same_time(n.id, '0') and same_time(n.id, 'f')`
}

/** As the caller of the API knows them. */
function names(env: Env, alias: string): RawBuilder<unknown> {
  return sql`left join subscriber s on s.environment_id = ${env.environmentId} and s.id = ${sql.ref(`${alias}.subscriber_id`)}
    left join workflow w on w.environment_id = ${env.environmentId} and w.id = ${sql.ref(`${alias}.workflow_id`)}`
}

function given(changes: readonly Change[], now: Date): RawBuilder<unknown> {
  return sql`unnest(${changes.map(() => uuid7(now))}::uuid[], ${changes.map(({ type }) => type)}::text[],
    ${changes.map(({ id }) => id)}::uuid[]) as g (event_id, type, id)`
}

type Source = {
  /** Rows `g (event_id, type, id)`. */
  given: RawBuilder<unknown>
  about: RawBuilder<unknown>
  subscriberId: RawBuilder<unknown>
  /** Names and values in turns. */
  data: RawBuilder<unknown>
}

async function insertDeliveries(db: Db, env: Env, now: Date, source: Source): Promise<void> {
  await sql`
    insert into webhook_delivery
      (environment_id, endpoint_id, id, type, subscriber_id, body, created_at, next_at, since)
    select e.environment_id, e.id, g.event_id, g.type, ${source.subscriberId},
      json_build_object('type', g.type, 'timestamp', ${now.toISOString()}::text, 'environmentId', e.environment_id,
        'data', json_build_object(${source.data}))::text,
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from ${source.given} ${source.about}
    join webhook_endpoint e on e.environment_id = ${env.environmentId} and e.state = 'enabled'
      and (e.event_types is null or g.type = any (e.event_types))
    order by e.id, g.event_id`.execute(db)
}

function iso(column: string): RawBuilder<unknown> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
