import { type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { withinIds } from '../id-bounds.ts'
import type { Tables } from '../schema.ts'
import { type Change, tellOfCompleted, tellOfMessages } from '../webhooks/tell.ts'
import type { Detail, JobStatus } from './history.ts'

export type AttemptRow = Selectable<Tables['attempt']>

export type Intent = {
  attemptId: string
  messageId: string
  number: number
  integrationId: string
  providerId: string
  whenUnknown: string
  variant: string | null
  deadline: Date
  /** When the message is looked at again if this attempt is never recorded. */
  wakeAt: Date
}

/** Attempts of one transaction. */
export type Begun = {
  /** Their messages. */
  messageIds: ReadonlySet<string>
  /** No other attempt with the same ids was written by this transaction at this time. */
  by: { xid: string; startedAt: Date } | null
  /** Sends that stand still: their messages were not begun. */
  stopped: ReadonlySet<string>
}

/**
 * Writes the attempts before the first byte leaves, and marks their messages as in flight. Returns those that this call
 * began; the others are done, or another worker has them.
 */
export async function beginAttempts(db: Db, env: Env, intents: readonly Intent[], now: Date): Promise<Begun> {
  const messageIds = intents.map((it) => it.messageId)
  const { rows } = await sql<{ message_id: string | null; xid: string | null; stopped: string[] }>`
    with door as materialized (select enter_door(${env.environmentId}) as stopped),
    given as (
      select * from jsonb_to_recordset(${JSON.stringify(intents)}::jsonb) as g ("attemptId" uuid, "messageId" uuid,
        number smallint, "integrationId" uuid, "providerId" text, "whenUnknown" text, variant text, deadline timestamptz,
        "wakeAt" timestamptz)),
    begun as (
      update message m set attempts = g.number, in_flight = true, retry_at = g."wakeAt",
        integration_id = g."integrationId", provider_id = g."providerId", updated_at = ${now}
      from given g, door
      where m.environment_id = ${env.environmentId} and m.id = g."messageId" and ${withinIds('m.id', messageIds)}
        and m.delivery = 'open'
        and not m.in_flight and m.attempts = g.number - 1 and m.event_id <> all (door.stopped)
      returning m.id),
    written as (
    insert into attempt (environment_id, id, message_id, number, integration_id, provider_id, when_unknown, variant,
      started_at, deadline)
    select ${env.environmentId}, g."attemptId", g."messageId", g.number, g."integrationId", g."providerId", g."whenUnknown",
      g.variant, ${now}, g.deadline
    from given g join begun b on b.id = g."messageId"
    on conflict do nothing
    returning message_id, pg_current_xact_id()::xid::text as xid)
    select w.message_id, w.xid, door.stopped from door left join written w on true`.execute(db)
  const [first] = rows
  const by = first?.xid ? { xid: first.xid, startedAt: now } : null
  const written = new Set(rows.flatMap((row) => row.message_id ?? []))
  return { messageIds: written, by, stopped: new Set(first?.stopped ?? []) }
}

/** Takes back attempts of which nothing was sent. Their messages are due again. `by`: only what this one wrote. */
export async function withdrawAttempts(
  db: Db,
  env: Env,
  ids: readonly string[],
  now: Date,
  by: Begun['by'] = null,
): Promise<void> {
  await sql`
    with withdrawn as (
      delete from attempt a using unnest(${ids}::uuid[]) as given (id)
      where a.environment_id = ${env.environmentId} and a.id = given.id and ${withinIds('a.id', ids)} and a.outcome is null
        ${by ? sql`and a.xmin::text = ${by.xid} and a.started_at = ${by.startedAt}` : sql``}
      returning a.message_id, a.number)
    update message m set attempts = w.number - 1, in_flight = false, retry_at = ${now}, updated_at = ${now}
    from withdrawn w
    where m.environment_id = ${env.environmentId} and m.id = w.message_id and m.delivery = 'open' and m.in_flight
      and m.attempts = w.number`.execute(db)
}

export async function listAttempts(db: Db, env: Env, ids: readonly string[]): Promise<AttemptRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<AttemptRow>`
    select a.* from unnest(${ids}::uuid[]) as wanted (id)
    join attempt a on a.environment_id = ${env.environmentId} and a.id = wanted.id and ${withinIds('a.id', ids)}
    order by a.message_id, a.number`.execute(db)
  return rows
}

export type Closing = {
  attemptId: string
  outcome: string
  integrationRefused: boolean
  paced: boolean
  reason: string | null
}

/** An attempt is recorded once, by whoever comes first. Returns the attempts that were still open. */
export async function closeAttempts(db: Db, env: Env, closings: readonly Closing[], now: Date): Promise<Set<string>> {
  if (closings.length === 0) return new Set()
  const attemptIds = closings.map((it) => it.attemptId)
  const { rows } = await sql<{ id: string }>`
    update attempt a set outcome = c.outcome, integration_refused = c."integrationRefused", paced = c.paced, reason = c.reason,
      ended_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(closings)}::jsonb)
      as c ("attemptId" uuid, outcome text, "integrationRefused" boolean, paced boolean, reason text)
    where a.environment_id = ${env.environmentId} and a.id = c."attemptId" and ${withinIds('a.id', attemptIds)}
      and a.outcome is null
    returning a.id`.execute(db)
  return new Set(rows.map((row) => row.id))
}

export type MessageEnding = {
  id: string
  /** As it was at the decision; if it differs now, another worker went on with the message. */
  attempts: number
  inFlight: boolean
  delivery: string
  status: string
  errorId: string | null
  errorText: string | null
  retryAt: Date | null
  externalId: string | null
  settledTargets: readonly string[] | null
}

export async function endMessages(
  db: Db,
  env: Env,
  endings: readonly MessageEnding[],
  now: Date,
): Promise<Set<string>> {
  if (endings.length === 0) return new Set()
  const ids = endings.map((it) => it.id)
  const { rows } = await sql<{ id: string }>`
    update message m set delivery = e.delivery,
      -- The vendor may call back before its answer is recorded, and a bounce stays one.
      status = case when m.feedback in ('bounced', 'complained') then m.status else e.status end,
      error_id = case when m.feedback in ('bounced', 'complained') then m.error_id else e."errorId" end,
      error_text = case when m.feedback in ('bounced', 'complained') then m.error_text else e."errorText" end,
      retry_at = e."retryAt", in_flight = false, external_id = coalesce(e."externalId", m.external_id),
      settled_targets = coalesce(e."settledTargets", m.settled_targets), updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(endings)}::jsonb) as e (id uuid, attempts smallint, "inFlight" boolean,
      delivery text, status text, "errorId" text, "errorText" text, "retryAt" timestamptz, "externalId" text,
      "settledTargets" text[])
    where m.environment_id = ${env.environmentId} and m.id = e.id and ${withinIds('m.id', ids)} and m.delivery = 'open'
      and m.attempts = e.attempts and m.in_flight = e."inFlight"
    returning m.id`.execute(db)
  const ended = new Set(rows.map((row) => row.id))
  const changes = endings.filter(({ id }) => ended.has(id)).flatMap(toChange)
  await tellOfMessages(db, env, changes, now)
  return ended
}

/** Whoever cancels knows it already. */
function toChange({ id, delivery }: MessageEnding): Change[] {
  if (delivery === 'open' || delivery === 'canceled') return []
  return [{ id, type: delivery === 'sent' ? 'message.sent' : 'message.failed' }]
}

/** What happened to a message while a try of it was under way. */
export type News = { id: string; feedback: 'delivered' | 'bounced' | 'complained' | null; canceled: boolean }

/** The caller has locked their jobs, as everybody does who changes these columns. */
export async function listNews(db: Db, env: Env, ids: readonly string[]): Promise<News[]> {
  const { rows } = await sql<News>`
    select m.id, m.feedback, coalesce(m.error_id = 'canceled', false) as canceled from unnest(${ids}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id and ${withinIds('m.id', ids)}
    where m.feedback is not null or m.error_id = 'canceled'`.execute(db)
  return rows
}

/** `attempts` and `inFlight` as they were at the decision: if they differ now, somebody went on with the message. */
export type Wait = { id: string; attempts: number; inFlight: boolean; retryAt: Date }

/** For messages that were neither tried nor decided: look again at `retryAt`. */
export async function deferMessages(db: Db, env: Env, waits: readonly Wait[]): Promise<void> {
  await sql`
    update message m set retry_at = w."retryAt"
    from jsonb_to_recordset(${JSON.stringify(waits)}::jsonb)
      as w (id uuid, attempts smallint, "inFlight" boolean, "retryAt" timestamptz)
    where m.environment_id = ${env.environmentId} and m.id = w.id and m.delivery = 'open'
      and m.attempts = w.attempts and m.in_flight = w."inFlight"`.execute(db)
}

/**
 * Workers that record outcomes of one job wait for each other, so that the last one sees all its messages settled.
 * Returns the ids of all messages of these jobs.
 */
export async function lockJobs(db: Db, env: Env, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ message_ids: string[] | null }>`
    select j.message_ids from unnest(${ids.toSorted()}::uuid[]) as wanted (id)
    join job j on j.environment_id = ${env.environmentId} and j.id = wanted.id and ${withinIds('j.id', ids)}
    order by j.id for update of j`.execute(db)
  return rows.flatMap((row) => row.message_ids ?? [])
}

export type JobProgress = { id: string; providerId: string | null; details: readonly Detail[] }
export type JobState = {
  id: string
  notification_id: string
  step_index: number
  type: string
  status: JobStatus
  /** The status before. */
  was: JobStatus
}

/**
 * Adds lines to the jobs' history and ends the jobs whose messages are all settled: completed when one message was sent
 * or may have been, skipped when its address is on the suppression list now, canceled when one was, otherwise failed.
 */
export async function progressJobs(
  db: Db,
  env: Env,
  jobs: readonly JobProgress[],
  /** All of their messages, as the lock returned them. */
  messageIds: readonly string[],
  now: Date,
): Promise<JobState[]> {
  const ids = jobs.map((it) => it.id)
  const { rows } = await sql<JobState>`
    with settled as materialized (
      select m.job_id, bool_or(m.delivery = 'open') as open, bool_or(m.delivery in ('sent', 'unknown')) as arrived,
        bool_and(m.delivery = 'rejected' and m.error_id = 'suppressed') as suppressed,
        bool_or(m.delivery = 'canceled') as canceled
      from unnest(${messageIds}::uuid[]) as made (id)
      -- With a limit each is looked for by its key: in a join, all messages between the first and the last id are read.
      cross join lateral (
        select job_id, delivery, error_id from message
        where environment_id = ${env.environmentId} and id = made.id and ${withinIds('id', messageIds)} limit 1) m
      group by m.job_id)
    update job j set details = j.details || p.details, provider_id = coalesce(p."providerId", j.provider_id),
      updated_at = ${now},
      status = case when j.status <> 'queued' or s.open then j.status when s.arrived then 'completed'
        when s.suppressed then 'skipped' when s.canceled then 'canceled' else 'failed' end
    from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as p (id uuid, "providerId" text, details jsonb)
    join job known on known.environment_id = ${env.environmentId} and known.id = p.id and ${withinIds('known.id', ids)}
    left join settled s on s.job_id = p.id
    where j.environment_id = ${env.environmentId} and j.id = p.id and ${withinIds('j.id', ids)}
    returning j.id, j.notification_id, j.step_index, j.type, j.status, known.status as was`.execute(db)
  const ended = rows.filter(({ status, was }) => status !== was && status !== 'queued')
  await tellOfCompleted(
    db,
    env,
    ended.map((job) => job.notification_id),
    now,
  )
  return rows
}

export type DueMessage = { environment_id: string; id: string; integration_id: string | null; priority: number | null }

/** Of all environments, the most overdue first. One node claims each message, until `again`. */
export async function claimDueMessages(db: Db, now: Date, again: Date, limit: number): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`select * from claim_due_messages(${now}, ${again}, ${limit})`.execute(db)
  return rows
}
