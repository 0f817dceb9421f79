import { type RawBuilder, sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import type { EventType } from './event-types.ts'
import { names, tellPage } from './pages.ts'
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
  await tellPage(db, env, now, {
    given: given(wanted, now),
    about: sql`${eachOf('message', env, 'm')} ${names(env, 'm')}`,
    subscriberId: sql`m.subscriber_id`,
    data: object(sql`'messageId', m.id, 'notificationId', m.notification_id, 'transactionId', m.transaction_id,
      'subscriberId', s.subscriber_id, 'workflowId', w.identifier, 'channel', m.channel, 'providerId', m.provider_id,
      'status', m.status, 'errorId', m.error_id, 'seen', m.seen, 'read', m.read, 'archived', m.archived_at is not null,
      'snoozedUntil', ${iso('m.snoozed_until')}`),
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
  await tellPage(db, env, now, {
    given: given(changes, now),
    about: sql`join unnest(${people.map(({ id }) => id)}::uuid[], ${people.map((it) => it.subscriber_id)}::text[])
      as s (id, subscriber_id) on s.id = g.id`,
    subscriberId: sql`s.id`,
    data: object(sql`'subscriberId', s.subscriber_id`),
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
  await tellPage(db, env, now, {
    given: sql`unnest(${changed.map(() => uuid7(now))}::uuid[], ${changed.map(() => type)}::text[], ${people}::uuid[],
      ${workflows}::uuid[]) as g (event_id, type, id, workflow_id)`,
    about: sql`join subscriber s on s.environment_id = ${env.environmentId} and s.id = g.id
      left join workflow w on w.environment_id = ${env.environmentId} and w.id = g.workflow_id
      left join subscriber_preference p on p.environment_id = ${env.environmentId} and p.subscriber_id = g.id
        and p.scope = coalesce(g.workflow_id, g.id)
      left join subscriber_schedule h on h.environment_id = ${env.environmentId} and h.subscriber_id = g.id
        and g.workflow_id is null`,
    subscriberId: sql`g.id`,
    data: object(sql`'subscriberId', s.subscriber_id, 'workflowId', w.identifier, 'enabled', p.choices -> 'all',
      'channels', coalesce(p.choices - 'all', '{}'), 'schedule', case when h.subscriber_id is not null then
        json_build_object('isEnabled', h.enabled, 'weeklySchedule', h.weekly) end`),
  })
}

export async function tellOfWorkflows(db: Db, env: Env, changes: readonly Change[], now: Date): Promise<void> {
  const wanted = changes.filter(({ type }) => isWanted(db, type))
  if (wanted.length === 0) return
  await tellPage(db, env, now, {
    given: given(wanted, now),
    about: sql`join workflow w on w.environment_id = ${env.environmentId} and w.id = g.id`,
    subscriberId: sql`null::uuid`,
    data: object(sql`'workflowId', w.identifier, 'name', w.name, 'active', w.active, 'version', w.version`),
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
  // One by one, in the order of their ids.
  await sql`
    select 1 from unnest(${own}::uuid[]) as g (id) cross join lateral (
      select 1 from notification r where r.environment_id = ${env.environmentId} and r.id = g.id and r.completed_at is null
      for no key update) n`.execute(db)
  const { rows } = await sql<{ id: string }>`
    update notification n set completed_at = ${now} from (
      select k.notification_id as id from ${jobsOf(env, own)}
      group by 1 having bool_and(j.status = any (finished_statuses()))) g
    where n.environment_id = ${env.environmentId} and n.id = g.id and n.completed_at is null
    returning n.id`.execute(db)
  await tellOfEnded(
    db,
    env,
    rows.map(({ id }) => id),
    now,
  )
}

/** Of those that have `completed_at` since this transaction. */
async function tellOfEnded(db: Db, env: Env, ids: readonly string[], now: Date): Promise<void> {
  const type = 'notification.completed'
  if (ids.length === 0 || !isWanted(db, type)) return
  await tellPage(db, env, now, {
    given: given(
      ids.map((id) => ({ id, type })),
      now,
    ),
    about: sql`${eachOf('notification', env, 'n')} ${names(env, 'n')}
      left join (
        select k.notification_id, json_agg(json_build_object('type', j.type, 'status', j.status) order by j.step_index) as steps
        from ${jobsOf(env, ids)} group by 1) done on done.notification_id = n.id`,
    subscriberId: sql`n.subscriber_id`,
    data: object(sql`'notificationId', n.id, 'transactionId', n.transaction_id, 'subscriberId', s.subscriber_id,
      'workflowId', w.identifier, 'steps', done.steps`),
  })
}

/**
 * The row of each `g.id`. Looked up one by one: PostgreSQL expects one new row where there are hundreds, and would compare
 * each of them with each id.
 */
function eachOf(table: 'message' | 'notification', env: Env, alias: string): RawBuilder<unknown> {
  return sql`cross join lateral (
    select r.* from ${sql.table(table)} r
    where r.environment_id = ${env.environmentId} and r.id = g.id offset 0) ${sql.ref(alias)}`
}

/**
 * From: the jobs `j` of these notifications, `k.notification_id`. Their ids are computed: those of an event lie beside each
 * other, and it may have a million.
 */
function jobsOf(env: Env, notificationIds: readonly string[]): RawBuilder<unknown> {
  return sql`jobs_of(${env.environmentId}, ${notificationIds}::uuid[]) k cross join lateral (
    select r.* from job r where r.environment_id = ${env.environmentId} and r.id = k.id offset 0) j`
}

function given(changes: readonly Change[], now: Date): RawBuilder<unknown> {
  return sql`unnest(${changes.map(() => uuid7(now))}::uuid[], ${changes.map(({ type }) => type)}::text[],
    ${changes.map(({ id }) => id)}::uuid[]) as g (event_id, type, id)`
}

/** Of names and values in turns. */
function object(pairs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`json_build_object(${pairs})::text`
}

function iso(column: string): RawBuilder<unknown> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
