import { type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { countCap } from '../keyset.ts'
import { pageOffset } from '../page-offset.ts'
import type { Tables } from '../schema.ts'

export const sendStates = ['running', 'canary', 'waiting', 'paused', 'canceling', 'canceled', 'done'] as const
export type SendState = (typeof sendStates)[number]
export type SendKind = 'broadcast' | 'topic' | 'list'
export type Bounds = { failuresPercent: number; complaintsPercent: number }
/** What became of it, when, by whom and why. */
export type HistoryLine = {
  at: string
  state: SendState
  reason: string | null
  text: string | null
  by: string | null
}

type Stored = Selectable<Tables['send']>
export type SendRow = Omit<Stored, 'state' | 'kind' | 'bounds' | 'history' | 'event_was' | 'judged'> & {
  state: SendState
  kind: SendKind
  bounds: Bounds | null
  event_was: 'accepted' | 'expanded' | null
  judged: unknown
  history: HistoryLine[]
}

export type NewSend = Pick<
  SendRow,
  | 'id'
  | 'transaction_id'
  | 'workflow_id'
  | 'kind'
  | 'state'
  | 'since'
  | 'reason'
  | 'event_was'
  | 'total'
  | 'canary_people'
  | 'canary_until'
  | 'bounds'
  | 'counted'
  | 'history'
>

/** One that exists stays as it is. */
export async function insertSend(db: Db, env: Env, send: NewSend): Promise<void> {
  await sql`
    insert into send (environment_id, id, transaction_id, workflow_id, kind, state, since, look_at, reason, event_was,
      total, canary_people, canary_until, bounds, counted, history)
    values (${env.environmentId}, ${send.id}, ${send.transaction_id}, ${send.workflow_id}, ${send.kind}, ${send.state},
      ${send.since}, ${send.since}, ${send.reason}, ${send.event_was}, ${send.total}, ${send.canary_people}, ${send.canary_until},
      ${send.bounds && JSON.stringify(send.bounds)}::jsonb, ${send.counted}, ${JSON.stringify(send.history)}::jsonb)
    on conflict do nothing`.execute(db)
}

export async function findSend(db: Db, env: Env, id: string): Promise<SendRow | null> {
  const { rows } = await sql<SendRow>`
    select * from send where environment_id = ${env.environmentId} and id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function lockSend(db: Db, env: Env, id: string): Promise<SendRow | null> {
  const { rows } = await sql<SendRow>`
    select * from send where environment_id = ${env.environmentId} and id = ${id} for update`.execute(db)
  return rows[0] ?? null
}

/** Null: another worker has it right now, or it is gone. */
export async function lockSendIfFree(db: Db, env: Env, id: string): Promise<SendRow | null> {
  const { rows } = await sql<SendRow>`
    select * from send where environment_id = ${env.environmentId} and id = ${id} for update skip locked`.execute(db)
  return rows[0] ?? null
}

const longestHistory = 50
// In these nothing happens by itself.
const restful: readonly SendState[] = ['paused', 'canceled', 'done']

export type SendChange = Partial<
  Pick<
    SendRow,
    | 'state'
    | 'reason'
    | 'reason_text'
    | 'resumes_at'
    | 'look_at'
    | 'event_was'
    | 'canary_until'
    | 'bounds'
    | 'judged'
    | 'canceled_after'
    | 'left_out'
    | 'total'
  >
>

/** The caller has locked it. With a new state comes a line of its history. */
export async function changeSend(
  db: Db,
  env: Env,
  send: SendRow,
  change: SendChange,
  { now, by = null }: { now: Date; by?: string | null },
): Promise<SendRow> {
  const next: SendRow = { ...send, ...change }
  if (change.state !== undefined) {
    next.since = now
    if (change.look_at === undefined) next.look_at = restful.includes(change.state) ? null : now
    const { state, reason, reason_text: text } = next
    next.history = [...send.history, { at: now.toISOString(), state, reason, text, by }].slice(-longestHistory)
  }
  await sql`
    update send set state = ${next.state}, since = ${next.since}, reason = ${next.reason},
      reason_text = ${next.reason_text}, resumes_at = ${next.resumes_at}, look_at = ${next.look_at},
      event_was = ${next.event_was},
      canary_until = ${next.canary_until}, bounds = ${next.bounds && JSON.stringify(next.bounds)}::jsonb,
      judged = ${JSON.stringify(next.judged)}::jsonb, canceled_after = ${next.canceled_after},
      left_out = ${next.left_out}, total = ${next.total}, history = ${JSON.stringify(next.history)}::jsonb
    where environment_id = ${env.environmentId} and id = ${send.id}`.execute(db)
  return next
}

/** Its first people are all written: its event stands still from here on. */
export async function noteCanaryWritten(db: Db, env: Env, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update send set event_was = 'accepted'
    where environment_id = ${env.environmentId} and id = any (${ids}::uuid[])`.execute(db)
}

export type SendPage = { items: SendRow[]; hasMore: boolean; totalCount: number }

/** The newest first. */
export async function listSends(
  db: Db,
  env: Env,
  states: readonly SendState[],
  { page, limit }: { page: number; limit: number },
): Promise<SendPage> {
  const wanted = sql`s.environment_id = ${env.environmentId} and s.state = any (${states}::text[])`
  const { rows } = await sql<SendRow>`
    select s.* from send s where ${wanted}
    order by s.id desc limit ${limit + 1} offset ${pageOffset(page, limit)}`.execute(db)
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from (select 1 from send s where ${wanted} limit ${countCap}) counted`.execute(db)
  return { items: rows.slice(0, limit), hasMore: rows.length > limit, totalCount: counted.rows[0]?.n ?? 0 }
}

export type WatchedSend = { environment_id: string; id: string }

/** Of all environments: sends that are not over, and those of which something is to be added up. */
export async function listSendsToWatch(db: Db, now: Date, most: number): Promise<WatchedSend[]> {
  const { rows } = await sql<WatchedSend>`select * from sends_to_watch(${now}, ${most})`.execute(db)
  return rows
}

export async function purgeSends(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select purge_sends(${before}, ${most}) as n`.execute(db)
  return rows[0]?.n ?? 0
}
