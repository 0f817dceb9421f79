import { type RawBuilder, sql } from 'kysely'
import { type Db, type Env, inTransaction } from '../database.ts'
import { withinIds } from '../id-bounds.ts'

/** What the comparison of promises with rows keeps between two turns. `place` is the caller's. */
export type ConservationState = {
  place: unknown
  missing: Record<string, number>
  last_missing: Record<string, number>
  round_ended_at: Date | null
  messages_from: Date
}

export async function readConservation(db: Db): Promise<ConservationState> {
  const { rows } = await sql<ConservationState>`select * from conservation`.execute(db)
  if (!rows[0]) throw new Error('the table conservation has lost its row')
  return rows[0]
}

/** Runs `work` on the state and stores what it returns. Returns false if another node is at it. */
export function changeConservation(
  db: Db,
  work: (state: ConservationState) => Promise<ConservationState>,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<ConservationState>`select * from conservation for update skip locked`.execute(trx)
    if (!rows[0]) return false
    const next = await work(rows[0])
    await sql`update conservation set place = ${JSON.stringify(next.place)}::jsonb,
      missing = ${JSON.stringify(next.missing)}::jsonb, last_missing = ${JSON.stringify(next.last_missing)}::jsonb,
      round_ended_at = ${next.round_ended_at}`.execute(trx)
    return true
  })
}

/** The environment after this one; null after the last. */
export async function findNextEnvironment(db: Db, after: string | null): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select next_environment(${after}::uuid) as id`.execute(db)
  return rows[0]?.id ?? null
}

export type KeyToCheck = { transactionId: string; eventId: string; isMissing: boolean }

/** TransactionIds in their order, and whether the event of each is missing. Events before `oldest` may be. */
export async function listKeysToCheck(
  db: Db,
  env: Env,
  { after, oldest, limit }: { after: string | null; oldest: Date; limit: number },
): Promise<KeyToCheck[]> {
  const { rows } = await sql<KeyToCheck>`
    select k.transaction_id as "transactionId", k.event_id as "eventId",
      k.event_id >= uuid_at(${oldest}) and e.id is null as "isMissing"
    from (
      select * from event_key where environment_id = ${env.environmentId} and transaction_id > ${after ?? ''}
      order by transaction_id limit ${limit}) k
    left join event e on e.environment_id = k.environment_id and e.id = k.event_id
    order by k.transaction_id`.execute(db)
  return rows
}

export type EventToCheck = { id: string; isOpen: boolean; notified: number; hasKey: boolean }

export async function listEventsToCheck(
  db: Db,
  env: Env,
  { after, oldest, limit }: { after: string | null; oldest: Date; limit: number },
): Promise<EventToCheck[]> {
  const { rows } = await sql<EventToCheck>`
    select e.id, e.state in ('accepted', 'held', 'paused') as "isOpen", e.notified_count as notified, k.event_id is not null as "hasKey"
    from (
      select * from event where environment_id = ${env.environmentId} and id >= uuid_at(${oldest})
        and ${after === null ? sql`true` : sql`id > ${after}::uuid`}
      order by id limit ${limit}) e
    left join event_key k
      on k.environment_id = e.environment_id and k.transaction_id = e.transaction_id and k.event_id = e.id
    order by e.id`.execute(db)
  return rows
}

export type NotificationToCheck = { id: string; event_id: string; workflow_id: string; workflow_version: number }

/** Of events that follow one another. A notification's id holds its event's time, so they lie in one range. */
export function listNotificationsToCheck(db: Db, env: Env, eventIds: readonly string[]) {
  const [first, last] = [eventIds[0] ?? null, eventIds.at(-1) ?? null]
  return selectNotifications(
    db,
    sql`
    unnest(${eventIds}::uuid[]) as given (id) join notification n on n.event_id = given.id
    where n.environment_id = ${env.environmentId} and n.id between same_time(${first}::uuid, '0') and same_time(${last}::uuid, 'f')`,
  )
}

/** Some of one event, in their order. */
export function listSomeNotificationsToCheck(
  db: Db,
  env: Env,
  eventId: string,
  { after, limit }: { after: string | null; limit: number },
) {
  return selectNotifications(
    db,
    sql`
    notification n where n.environment_id = ${env.environmentId} and n.event_id = ${eventId}
      and n.id between same_time(${eventId}::uuid, '0') and same_time(${eventId}::uuid, 'f')
      and ${after === null ? sql`true` : sql`n.id > ${after}::uuid`}
    order by n.id limit ${limit}`,
  )
}

async function selectNotifications(db: Db, from: RawBuilder<unknown>): Promise<NotificationToCheck[]> {
  const { rows } = await sql<NotificationToCheck>`
    select n.id, n.event_id, n.workflow_id, n.workflow_version from ${from}`.execute(db)
  return rows
}

/** A job that is missing (`hasJob` false), a message that is missing, or one that was tried (`attempts`). */
export type JobToCheck = { id: string; hasJob: boolean; messageId: string | null; attempts: number | null }

/** In one statement: a message that is deleted leaves its job's list in the same transaction. */
export async function checkJobs(
  db: Db,
  env: Env,
  jobIds: readonly string[],
  messagesFrom: Date,
): Promise<JobToCheck[]> {
  if (jobIds.length === 0) return []
  const { rows } = await sql<JobToCheck>`
    select given.id, j.id is not null as "hasJob", made.id as "messageId", m.attempts
    from unnest(${jobIds}::uuid[]) as given (id)
    left join job j on j.environment_id = ${env.environmentId} and j.id = given.id and ${withinIds('j.id', jobIds)}
    left join lateral unnest(j.message_ids) as made (id) on made.id >= uuid_at(${messagesFrom})
    left join message m on m.environment_id = ${env.environmentId} and m.id = made.id
    where j.id is null or made.id is not null and (m.id is null or m.attempts > 0)`.execute(db)
  return rows
}

/** Which of these attempts are not there. */
export async function listMissingAttempts(db: Db, env: Env, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select given.id from unnest(${ids}::uuid[]) as given (id)
    left join attempt a on a.environment_id = ${env.environmentId} and a.id = given.id and ${withinIds('a.id', ids)}
    where a.id is null`.execute(db)
  return new Set(rows.map((row) => row.id))
}
