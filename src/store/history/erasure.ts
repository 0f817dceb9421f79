import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Canceled } from '../sends/cancel-jobs.ts'
import { tellOfCompleted } from '../webhooks/tell.ts'
import type { Detail } from './history.ts'

/** A deleted subscriber. Events after `before` are not theirs: the same subscriberId may be used again. */
export type Erased = { id: string; subscriberId: string; before: Date }

/** Takes the place of an erased entry among an event's recipients, so that the others keep theirs. */
const erasedRecipient = sql.lit('{"erased": true}')

/** Erases the content of a batch of messages. Returns where to go on, null at the end. */
export async function eraseMessages(
  db: Db,
  env: Env,
  who: Erased,
  after: { channel: string; id: string } | null,
  batch: number,
): Promise<{ channel: string; id: string } | null> {
  const bound = after ? sql`(channel, id) > (${after.channel}, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<{ channel: string; id: string }>`
    with batch as materialized (
      select channel, id, attempts from message
      where environment_id = ${env.environmentId} and subscriber_id = ${who.id} and ${bound}
      order by channel, id limit ${batch}),
    erased as (
      update message m set subject = null, content = '', cta = '{}', avatar = null, data = null, error_text = null,
        address = null, envelope = null, external_id = null, settled_targets = null,
        -- One that is being sent ends as its provider says, and is not tried again.
        retry_at = case when m.in_flight then m.retry_at end, expires_at = case when m.in_flight then now() else m.expires_at end,
        delivery = case when m.delivery in ('open', 'dead') and not m.in_flight then 'canceled' else m.delivery end
      from batch b where m.environment_id = ${env.environmentId} and m.id = b.id),
    mailed as (
      delete from dev_mail d using batch b where d.environment_id = ${env.environmentId} and d.id = b.id),
    tries as (
      update attempt a set reason = null from batch b cross join generate_series(1, b.attempts) as try (number)
      where a.environment_id = ${env.environmentId} and a.id = derived_id('attempt', b.id, try.number::text))
    select channel, id from batch order by channel desc, id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * For a batch of notifications: erases what providers answered, cancels waiting steps, and erases the subscriber from
 * the events. Returns where to go on (null at the end) and the steps it stopped.
 */
export async function eraseNotifications(
  db: Db,
  env: Env,
  who: Erased,
  { after, batch, now }: { after: string | null; batch: number; now: Date },
): Promise<{ last: string | null; stopped: Canceled['steps'] }> {
  const bound = after ? sql`id > ${after}::uuid` : sql`true`
  const { rows } = await sql<{ id: string; event_id: string; workflow_id: string }>`
    select id, event_id, workflow_id from notification
    where environment_id = ${env.environmentId} and subscriber_id = ${who.id} and ${bound}
    order by id limit ${batch}`.execute(db)
  const ids = rows.map((row) => row.id)
  if (after === null) await closeWindows(db, env, who.id)
  const stopped = await eraseJobs(db, env, rows, now)
  await eraseRecipient(db, env, who, [...new Set(rows.map((row) => row.event_id))].sort())
  return { last: ids.at(-1) ?? null, stopped }
}

async function closeWindows(db: Db, env: Env, subscriberId: string): Promise<void> {
  for (const table of ['digest_window', 'throttle_window'] as const) {
    await db
      .deleteFrom(table)
      .where('environment_id', '=', env.environmentId)
      .where('subscriber_id', '=', subscriberId)
      .execute()
  }
}

async function eraseJobs(
  db: Db,
  env: Env,
  notifications: readonly { id: string; workflow_id: string }[],
  now: Date,
): Promise<Canceled['steps']> {
  const ids = notifications.map((it) => it.id)
  const ofThese = sql`jobs_of(${env.environmentId}, ${ids}::uuid[]) k
    where j.environment_id = ${env.environmentId} and j.id = k.id`
  await sql`
    update job j set details = (
      select jsonb_agg(line - 'raw' order by place) from jsonb_array_elements(j.details) with ordinality as d (line, place))
    from ${ofThese} and j.details @? '$[*].raw'`.execute(db)
  await sql`update job j set answer = null from ${ofThese} and j.answer is not null`.execute(db)
  const line: Detail = { at: now.toISOString(), status: 'Warning', detail: 'The subscriber was deleted' }
  const { rows } = await sql<{ type: string; notification_id: string }>`
    update job j set status = 'canceled', run_at = null, updated_at = ${now},
      -- A bridge may have answered since the statement before.
      answer = null, details = j.details || ${JSON.stringify([line])}::jsonb
    from ${ofThese} and j.status in ('pending', 'queued', 'delayed')
      and not exists (
        select 1 from unnest(j.message_ids) as made (id)
        join message m on m.environment_id = j.environment_id and m.id = made.id and m.in_flight)
    returning j.type, j.notification_id`.execute(db)
  await tellOfCompleted(
    db,
    env,
    rows.map((job) => job.notification_id),
    now,
  )
  const workflows = new Map(notifications.map((it) => [it.id, it.workflow_id]))
  return rows.map((job) => ({
    type: job.type,
    workflowId: workflows.get(job.notification_id) ?? '',
    hasMessages: false,
  }))
}

/** A batch of events with this actor. Returns where to go on, null at the end. */
export async function eraseActor(
  db: Db,
  env: Env,
  who: Erased,
  after: string | null,
  batch: number,
): Promise<string | null> {
  const bound = after ? sql`id > ${after}::uuid` : sql`true`
  const { rows } = await sql<{ id: string }>`
    with batch as materialized (
      select id from event
      where environment_id = ${env.environmentId} and actor is not null and actor->>'subscriberId' = ${who.subscriberId}
        and id < uuid_at(${who.before}) and ${bound}
      order by id limit ${batch}),
    erased as (
      update event e set actor = null from batch b where e.environment_id = ${env.environmentId} and e.id = b.id)
    select id from batch order by id desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** A batch of events that name the subscriber but never notified them: no notification leads to these. */
export async function eraseUnreached(
  db: Db,
  env: Env,
  who: Erased,
  after: string | null,
  batch: number,
): Promise<string | null> {
  const bound = after ? sql`id > ${after}::uuid` : sql`true`
  const bySend = sql`
    (select e.id from send s join event e on e.environment_id = s.environment_id and e.id = s.id
    where s.environment_id = ${env.environmentId} and s.state in ('canary', 'waiting', 'paused')
      and e.id < uuid_at(${who.before}) and ${after ? sql`e.id > ${after}::uuid` : sql`true`}
      and e.recipients @> ${JSON.stringify([{ subscriberId: who.subscriberId }])}::jsonb
    order by e.id limit ${batch})`
  const naming = (state: 'accepted' | 'canceled') => sql`
    (select id from event
    where environment_id = ${env.environmentId} and state = ${sql.lit(state)} and id < uuid_at(${who.before}) and ${bound}
      and recipients @> ${JSON.stringify([{ subscriberId: who.subscriberId }])}::jsonb
    order by id limit ${batch})`
  const { rows } = await sql<{ id: string }>`
    select id from (${naming('accepted')} union ${naming('canceled')} union ${bySend}) named order by id limit ${batch}`.execute(
    db,
  )
  const ids = rows.map((row) => row.id)
  await eraseRecipient(db, env, who, ids)
  return ids.at(-1) ?? null
}

/** Replaces their entry among the recipients. When no recipient is left, the event's content is erased too. */
async function eraseRecipient(db: Db, env: Env, who: Erased, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  const isErased = sql`(item->>'subscriberId' is not distinct from ${who.subscriberId})`
  await sql`
    update event e set recipients = r.recipients,
      payload = case when r.alone then '{}' else e.payload end,
      overrides = case when r.alone then '{}' else e.overrides end,
      context = case when r.alone then null else e.context end
    from (
      select e.id, bool_and(${isErased} or not item ?| array['subscriberId', 'topicKey']) as alone,
        jsonb_agg(case when ${isErased} then ${erasedRecipient}::jsonb else item end order by place) as recipients
      from event e, jsonb_array_elements(e.recipients) with ordinality as given (item, place)
      where e.environment_id = ${env.environmentId} and e.id = any (${eventIds}::uuid[])
        and e.id < uuid_at(${who.before}) and e.recipients is not null
      group by e.id) r
    where e.environment_id = ${env.environmentId} and e.id = r.id and e.recipients <> r.recipients`.execute(db)
  await sql`
    delete from event_attachment a using event e
    where a.environment_id = ${env.environmentId} and a.event_id = any (${eventIds}::uuid[])
      and e.environment_id = a.environment_id and e.id = a.event_id and e.recipients is not null
      and not exists (select 1 from jsonb_array_elements(e.recipients) item where item ?| array['subscriberId', 'topicKey'])`.execute(
    db,
  )
}
