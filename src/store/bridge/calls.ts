import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Detail } from '../history/history.ts'

export type NewCall = { jobId: string; notificationId: string }

/** Steps that were reached. One that waits already stays as it is. */
export async function insertCalls(db: Db, env: Env, calls: readonly NewCall[], now: Date): Promise<void> {
  if (calls.length === 0) return
  const sorted = [...calls].sort((a, b) => (a.jobId < b.jobId ? -1 : 1))
  await sql`
    insert into bridge_call (environment_id, job_id, notification_id, since, next_at)
    select ${env.environmentId}, given.job, given.notification, ${now}, ${now}
    from unnest(${sorted.map((it) => it.jobId)}::uuid[], ${sorted.map((it) => it.notificationId)}::uuid[])
      as given (job, notification)
    on conflict do nothing`.execute(db)
}

/** `number`: of the call that begins now. */
export type TakenCall = { jobId: string; notificationId: string; since: Date; number: number; failures: number }

/** What is due, the longest overdue first. Until `again` nobody else takes it. */
export async function takeCalls(
  db: Db,
  env: Env,
  { now, again, most }: { now: Date; again: Date; most: number },
): Promise<TakenCall[]> {
  const { rows } = await sql<TakenCall>`
    update bridge_call c set number = c.number + 1, next_at = ${again}
    from (select job_id from bridge_call
      where environment_id = ${env.environmentId} and next_at <= ${now}
      order by next_at, job_id limit ${most} for update skip locked) due
    where c.environment_id = ${env.environmentId} and c.job_id = due.job_id
    returning c.job_id as "jobId", c.notification_id as "notificationId", c.since, c.number, c.failures`.execute(db)
  return rows
}

/** Since when the one waits that has waited longest. */
export async function findOldestCall(db: Db, env: Env): Promise<Date | null> {
  const { rows } = await sql<{ since: Date }>`
    select since from bridge_call where environment_id = ${env.environmentId} order by since limit 1`.execute(db)
  return rows[0]?.since ?? null
}

/** Those that have waited since `until` or longer for an answer, whoever has them: they will not be asked again. */
export async function listOverdueCalls(db: Db, env: Env, until: Date, most: number): Promise<TakenCall[]> {
  const { rows } = await sql<TakenCall>`
    select job_id as "jobId", notification_id as "notificationId", since, number, failures from bridge_call
    where environment_id = ${env.environmentId} and since <= ${until} order by since limit ${most}`.execute(db)
  return rows
}

/** What came of a call. `answer`: it is known; without one it is made again at `nextAt`. */
export type CallEnding = {
  jobId: string
  number: number
  answer: object | null
  nextAt: Date | null
  failures: number
  details: readonly Detail[]
}

/**
 * Writes what came of calls: an answer into its job, and the call is over. Whoever was faster has written it already:
 * what comes second changes nothing. Returns the notifications that can go on.
 */
export async function recordCalls(db: Db, env: Env, endings: readonly CallEnding[]): Promise<string[]> {
  const given = JSON.stringify([...endings].sort((a, b) => (a.jobId < b.jobId ? -1 : 1)))
  const { rows } = await sql<{ notificationId: string }>`
    with given as materialized (
      select * from jsonb_to_recordset(${given}::jsonb) as g ("jobId" uuid, number int, answer jsonb, "nextAt" timestamptz,
        failures int, details jsonb)),
    own as materialized (
      select c.job_id, c.notification_id, g.answer, g."nextAt", g.failures, g.details
      from given g join bridge_call c on c.environment_id = ${env.environmentId} and c.job_id = g."jobId"
        and (c.number = g.number or g.answer is not null)
      order by c.job_id for update of c),
    later as (
      update bridge_call c set next_at = own."nextAt", failures = own.failures from own
      where c.environment_id = ${env.environmentId} and c.job_id = own.job_id and own.answer is null),
    over as (
      delete from bridge_call c using own
      where c.environment_id = ${env.environmentId} and c.job_id = own.job_id and own.answer is not null),
    told as (
      update job j set answer = own.answer, details = j.details || own.details from own
      where j.environment_id = ${env.environmentId} and j.id = own.job_id and j.status = 'pending' and j.answer is null)
    select notification_id as "notificationId" from own where answer is not null`.execute(db)
  return rows.map((row) => row.notificationId)
}

/** Those of steps that wait no longer, or may not go on now. */
export async function dropCalls(db: Db, env: Env, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return
  await sql`
    delete from bridge_call c using unnest(${jobIds}::uuid[]) as given (id)
    where c.environment_id = ${env.environmentId} and c.job_id = given.id`.execute(db)
}

export type FeedState = { seen: boolean; read: boolean; lastSeenDate: Date | null; lastReadDate: Date | null }

/** Of messages in the feed. */
export async function listFeedStates(db: Db, env: Env, ids: readonly string[]): Promise<Map<string, FeedState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<FeedState & { id: string }>`
    select m.id, m.seen, m.read, m.seen_at as "lastSeenDate", m.read_at as "lastReadDate"
    from unnest(${ids}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id`.execute(db)
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
