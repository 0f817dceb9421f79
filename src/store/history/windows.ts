import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { withinTimeOf } from '../id-bounds.ts'

/** Which window: one per step of a workflow, person and key. */
export type WindowKey = { workflowId: string; stepId: string; subscriberId: string; key: string }

export type DigestClaim = WindowKey & {
  notificationId: string
  jobId: string
  /** When the window would close if this job opened it. */
  closesAt: string
  /** Backoff: the first event passes, and those that follow within this time wait. */
  lookBackSeconds: number | null
}
export type DigestWindow = WindowKey & {
  kind: 'open' | 'lookback'
  notificationId: string
  jobId: string
  closesAt: Date
}

/**
 * Opens or finds the window of each claim (one claim per window) and locks it, so that joining and closing do not
 * overlap. With backoff, the first claim leaves a look-back; the next one within it opens the window.
 */
export async function claimDigestWindows(
  db: Db,
  env: Env,
  claims: readonly DigestClaim[],
  now: Date,
): Promise<DigestWindow[]> {
  const { rows } = await sql<DigestWindow>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) as c ("workflowId" uuid, "stepId" text,
        "subscriberId" uuid, key text, "notificationId" uuid, "jobId" uuid, "closesAt" timestamptz, "lookBackSeconds" int))
    insert into digest_window as w (environment_id, workflow_id, step_id, subscriber_id, key, kind, notification_id, job_id,
      closes_at, look_back_seconds)
    select ${env.environmentId}, c."workflowId", c."stepId", c."subscriberId", c.key,
      case when c."lookBackSeconds" is null then 'open' else 'lookback' end, c."notificationId", c."jobId",
      coalesce(${now}::timestamptz + c."lookBackSeconds" * interval '1 second', c."closesAt"), c."lookBackSeconds"
    from given c order by c."workflowId", c."stepId", c."subscriberId", c.key
    on conflict (environment_id, workflow_id, step_id, subscriber_id, key) do update set
      kind = case when w.kind = 'lookback' and w.closes_at <= ${now} then excluded.kind else 'open' end,
      notification_id = case when w.kind = 'lookback' then excluded.notification_id else w.notification_id end,
      job_id = case when w.kind = 'lookback' then excluded.job_id else w.job_id end,
      look_back_seconds = excluded.look_back_seconds,
      closes_at = case when w.kind = 'open' then w.closes_at
        when w.closes_at <= ${now} then excluded.closes_at
        else (select c."closesAt" from given c where c."jobId" = excluded.job_id) end
    returning workflow_id as "workflowId", step_id as "stepId", subscriber_id as "subscriberId", key, kind,
      notification_id as "notificationId", job_id as "jobId", closes_at as "closesAt"`.execute(db)
  return rows
}

export type ThrottleClaim = WindowKey & { hits: number; endsAt: string }

/** Counts the hits of each window; one that is over begins anew. Returns how many each has now. */
export async function countThrottleHits(
  db: Db,
  env: Env,
  claims: readonly ThrottleClaim[],
  now: Date,
): Promise<(WindowKey & { count: number })[]> {
  const { rows } = await sql<WindowKey & { count: number }>`
    insert into throttle_window as w (environment_id, workflow_id, step_id, subscriber_id, key, count, ends_at)
    select ${env.environmentId}, c."workflowId", c."stepId", c."subscriberId", c.key, c.hits, c."endsAt"
    from jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) as c ("workflowId" uuid, "stepId" text, "subscriberId" uuid,
      key text, hits int, "endsAt" timestamptz)
    order by c."workflowId", c."stepId", c."subscriberId", c.key
    on conflict (environment_id, workflow_id, step_id, subscriber_id, key) do update set
      count = case when w.ends_at <= ${now} then excluded.count else w.count + excluded.count end,
      ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
    returning workflow_id as "workflowId", step_id as "stepId", subscriber_id as "subscriberId", key, count`.execute(db)
  return rows
}

/** When the next timer of each kind runs out. `is_paced`: messages may be in line at an integration, at any time. */
export type NextDue = { message_at: Date | null; job_at: Date | null; is_paced: boolean }

/** One look at what is indexed, so that only claims are made that find something: they cost more. */
export async function findNextDue(db: Db): Promise<NextDue> {
  const { rows } = await sql<NextDue>`select * from next_timers()`.execute(db)
  return rows[0] ?? { message_at: null, job_at: null, is_paced: false }
}

export type WokenJob = { environment_id: string; id: string; notification_id: string }

/** Of all environments, the most overdue first; each is woken by one node. */
export async function wakeDueJobs(db: Db, now: Date, limit: number): Promise<WokenJob[]> {
  const { rows } = await sql<WokenJob>`select * from wake_due_jobs(${now}, ${limit})`.execute(db)
  return rows
}

export async function purgeWindows(db: Db, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ purged: number }>`select purge_windows(${now}, ${limit}) as purged`.execute(db)
  return rows[0]?.purged ?? 0
}

export type DigestedEvent = { digestOf: string; eventId: string; payload: unknown; transactionId: string }

/** The events of each digest, at most `limit`: its own first, then in the order they came. */
export async function listDigestedEvents(
  db: Db,
  env: Env,
  notificationIds: readonly string[],
  limit: number,
): Promise<{ events: DigestedEvent[]; counts: Map<string, number> }> {
  if (notificationIds.length === 0) return { events: [], counts: new Map() }
  // A merged notification may itself hold others, from an earlier digest step: they are included.
  const { rows } = await sql<DigestedEvent & { count: string }>`
    with recursive gathered as (
      select n.id as digest_of, n.id as notification_id from unnest(${notificationIds}::uuid[]) as n (id)
      union
      select g.digest_of, j.notification_id from gathered g
      join job j on j.environment_id = ${env.environmentId} and j.merged_into = g.notification_id),
    member as (
      select g.*, row_number() over (partition by digest_of order by notification_id <> digest_of, notification_id) as place,
        count(*) over (partition by digest_of) as count
      from gathered g)
    select m.digest_of as "digestOf", e.id as "eventId", e.payload, e.transaction_id as "transactionId", m.count
    from member m
    join notification n on n.environment_id = ${env.environmentId} and n.id = m.notification_id
    join event e on e.environment_id = ${env.environmentId} and e.id = n.event_id
    where m.place <= ${limit}
    order by m.digest_of, m.place`.execute(db)
  return { events: rows, counts: new Map(rows.map((row) => [row.digestOf, Number(row.count)])) }
}

/**
 * Takes a canceled event out of its digests. Where it was the one that waited, the next member waits instead, with all
 * others that had joined. Every window of these subscribers and this workflow is locked first, by columns that never
 * change, so that nobody joins, closes or leaves meanwhile.
 */
export async function leaveDigests(db: Db, env: Env, eventId: string, now: Date): Promise<void> {
  const own = sql`(select n.id, n.workflow_id, n.subscriber_id from notification n
    where n.environment_id = ${env.environmentId} and n.event_id = ${eventId} and ${withinTimeOf('n.id', eventId)})`
  // First the waiting jobs, then the windows: waking locks them in this order too, and another order would deadlock.
  await sql`
    select 1 from job j where j.environment_id = ${env.environmentId} and j.id = any (array(
      select w.job_id from digest_window w join ${own} own on own.workflow_id = w.workflow_id and own.subscriber_id = w.subscriber_id
      where w.environment_id = ${env.environmentId} and w.kind = 'open'))
    order by j.id for update`.execute(db)
  const { rows: locked } = await sql<{
    notificationId: string
    jobId: string
    closesAt: Date
    isOpen: boolean
    isOwn: boolean
  }>`
    select w.notification_id as "notificationId", w.job_id as "jobId", w.closes_at as "closesAt", w.kind = 'open' as "isOpen",
      w.notification_id = own.id as "isOwn"
    from digest_window w join ${own} own on own.workflow_id = w.workflow_id and own.subscriber_id = w.subscriber_id
    where w.environment_id = ${env.environmentId}
    order by w.workflow_id, w.step_id, w.subscriber_id, w.key for update of w`.execute(db)
  // A look-back has nothing that waits.
  const windows = locked.filter((window) => window.isOpen)
  const open = windows.map((window) => window.notificationId)
  // Members leave the digests that still wait. Their steps from the digest on become pending, and the caller cancels
  // them.
  await sql`
    with member as (
      select j.notification_id, j.step_index from job j join ${own} own on j.notification_id = own.id
      where j.environment_id = ${env.environmentId} and ${withinTimeOf('j.id', eventId)}
        and j.merged_into = any (${open}::uuid[]))
    update job j set status = 'pending', merged_into = null, updated_at = ${now} from member m
    where j.environment_id = ${env.environmentId} and j.notification_id = m.notification_id
      and ${withinTimeOf('j.id', eventId)}
      and j.step_index >= m.step_index and j.status = 'merged'`.execute(db)
  for (const window of windows) if (window.isOwn) await handOverWindow(db, env, window, now)
}

/** Hands the window to the first that joined; without one the window is deleted. */
async function handOverWindow(
  db: Db,
  env: Env,
  { notificationId, jobId, closesAt }: { notificationId: string; jobId: string; closesAt: Date },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: string; notification_id: string; step_index: number }>`
    select id, notification_id, step_index from job
    where environment_id = ${env.environmentId} and merged_into = ${notificationId}
    order by notification_id limit 1`.execute(db)
  const successor = rows[0]
  if (!successor) {
    await sql`delete from digest_window where environment_id = ${env.environmentId} and job_id = ${jobId}`.execute(db)
    return
  }
  await sql`
    update digest_window set notification_id = ${successor.notification_id}, job_id = ${successor.id}
    where environment_id = ${env.environmentId} and job_id = ${jobId}`.execute(db)
  await sql`
    update job set merged_into = ${successor.notification_id}, updated_at = ${now}
    where environment_id = ${env.environmentId} and merged_into = ${notificationId} and id <> ${successor.id}`.execute(
    db,
  )
  await sql`
    update job set merged_into = null, updated_at = ${now},
      status = case when id = ${successor.id} then 'delayed' else 'pending' end,
      run_at = case when id = ${successor.id} then ${closesAt}::timestamptz end
    where environment_id = ${env.environmentId} and notification_id = ${successor.notification_id}
      and id = any (array(select id from jobs_of(${env.environmentId}, array[${successor.notification_id}::uuid])))
      and step_index >= ${successor.step_index} and status = 'merged'`.execute(db)
}
