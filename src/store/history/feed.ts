import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Tables } from '../schema.ts'
import type { EventType } from '../webhooks/event-types.ts'
import { tellOfMessages } from '../webhooks/tell.ts'
import { isWanted } from '../webhooks/wanted.ts'
import type { Detail } from './history.ts'
import { forgetGone, type MessagePage, type PageNumber, pageOfMessages } from './messages.ts'

export type FeedRow = Selectable<Tables['message']>

/** What stands at that path of `data` is one of these values, or a list that holds one. */
export type DataCondition = { path: readonly string[]; anyOf: readonly unknown[] }

/** Absent fields do not filter; all given ones must match. */
export type FeedFilter = {
  ids?: readonly string[]
  read?: boolean
  seen?: boolean
  archived?: boolean
  snoozed?: boolean
  /** Of the event. */
  payload?: object
  data?: readonly DataCondition[]
  /** At least one tag of each group. */
  tags?: readonly (readonly string[])[]
  severity?: readonly string[]
  createdFrom?: Date
  createdTo?: Date
  contextKeys?: readonly string[]
}

export type FeedChange =
  | { to: 'seen' | 'unseen' | 'read' | 'unread' | 'archived' | 'unarchived' | 'unsnoozed' }
  | { to: 'snoozed'; until: Date }

/** Messages of one feed. `now` decides what is snoozed. */
export type FeedQuery = { subscriberId: string; filter: FeedFilter; now: Date }

/** A subscriber's in-app messages, without those that failed. */
export function listFeed(db: Db, env: Env, query: FeedQuery & { page: PageNumber }): Promise<MessagePage> {
  return pageOfMessages(db, env, feedConditions(query), query.page, query.filter.payload !== undefined)
}

/** Newest first, from an offset or after a message; one more than asked, so that the caller sees whether there is more. */
export async function sliceFeed(
  db: Db,
  env: Env,
  query: FeedQuery & { after?: string | undefined; offset: number; limit: number },
): Promise<FeedRow[]> {
  const after = query.after === undefined ? [] : [sql`m.id < ${query.after}`]
  const { rows } = await sql<FeedRow>`
    select m.* ${feed(env, [...feedConditions(query), ...after])}
    order by m.id desc offset ${query.offset} limit ${query.limit + 1}`.execute(db)
  return rows
}

/**
 * Changes the messages that need it and returns how many did. Rows are locked in the order of their ids, so that two
 * calls on the same messages wait for each other instead of deadlocking. The first reading of a message is added to its
 * job's history; the lock decides which call is first.
 */
export async function changeFeed(db: Db, env: Env, query: FeedQuery & { change: FeedChange }): Promise<number> {
  const { change, now } = query
  const { needed, set } = assignments(change, now)
  const conditions = [...feedConditions(query), needed]
  const type = typeOf(change)
  const { rows } = await sql<{ n: number; ids?: string[] | null }>`
    with locked as materialized (
      select m.id, m.read_at ${feed(env, conditions)} order by m.id for no key update of m),
    changed as (
      update message m set ${set}, updated_at = ${now} from locked
      where m.environment_id = ${env.environmentId} and m.id = locked.id
      returning m.id, m.job_id, locked.read_at is null as is_first)
    ${change.to === 'read' ? sql`, confirmed as (${confirmReading(env, now)})` : sql``}
    select count(*)::int as n${type && isWanted(db, type) ? sql`, array_agg(id) as ids` : sql``} from changed`.execute(
    db,
  )
  const [changed] = rows
  if (type && changed?.ids)
    await tellOfMessages(
      db,
      env,
      changed.ids.map((id) => ({ id, type })),
      now,
    )
  return changed?.n ?? 0
}

/** Null: nobody is told. */
function typeOf({ to }: FeedChange): EventType | null {
  return to === 'unseen' ? null : `message.${to}`
}

function confirmReading(env: Env, now: Date): RawBuilder<unknown> {
  const line: Detail = {
    at: now.toISOString(),
    status: 'ReadConfirmation',
    detail: 'Message read',
    providerId: 'platform',
  }
  return sql`update job j set details = j.details || ${JSON.stringify([line])}::jsonb, updated_at = ${now} from changed
    where changed.is_first and j.environment_id = ${env.environmentId} and j.id = changed.job_id`
}

/** Stores the answer to one of a message's buttons; `pending` takes it back. */
export async function setFeedAction(
  db: Db,
  env: Env,
  id: string,
  { button, ...action }: { button: string } & ({ status: 'pending' } | { status: 'done'; result: object }),
  now: Date,
): Promise<void> {
  const isAnswer = sql`m.cta #>> '{action,result,type}' = ${button}`
  await sql`
    update message m set updated_at = ${now},
      cta = jsonb_set(m.cta, '{action}', (m.cta->'action') - 'result' || ${JSON.stringify(action)}::jsonb)
    where m.environment_id = ${env.environmentId} and m.id = ${id}
      and ${action.status === 'done' ? sql`true` : isAnswer}`.execute(db)
}

export async function deleteFeed(db: Db, env: Env, asked: FeedQuery): Promise<number> {
  const query = isWanted(db, 'message.deleted') ? await tellOfDeleted(db, env, asked) : asked
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from message d where d.environment_id = ${env.environmentId} and d.id in (
        select m.id ${feed(env, feedConditions(query))} order by m.id for update of m)
      returning d.id, d.job_id),
    ${forgetGone(env)}
    select count(*)::int as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

/** Before they are gone. Returns the query of exactly these. */
async function tellOfDeleted(db: Db, env: Env, query: FeedQuery): Promise<FeedQuery> {
  const { rows } = await sql<{ id: string }>`
    select m.id ${feed(env, feedConditions(query))} order by m.id for update of m`.execute(db)
  const ids = rows.map(({ id }) => id)
  await tellOfMessages(
    db,
    env,
    ids.map((id) => ({ id, type: 'message.deleted' })),
    query.now,
  )
  return { ...query, filter: { ...query.filter, ids } }
}

export function feed(env: Env, conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`from message m where ${sql.join([sql`m.environment_id = ${env.environmentId}`, ...conditions], sql` and `)}`
}

/** Flags are written into the SQL, not sent as parameters, so that the index of unread messages fits. */
export function feedConditions({ subscriberId, filter, now }: FeedQuery): RawBuilder<unknown>[] {
  const { ids, payload, data = [], tags = [], severity, createdFrom, createdTo, contextKeys } = filter
  const flagCondition = (value: boolean | undefined, yes: RawBuilder<unknown>, no: RawBuilder<unknown>) =>
    value === undefined ? [] : value ? yes : no
  return [
    sql`m.subscriber_id = ${subscriberId} and m.channel = 'in_app' and m.status <> 'error'`,
    ids === undefined ? [] : sql`m.id = any (${ids}::uuid[])`,
    flagCondition(filter.read, sql`m.read`, sql`not m.read`),
    // By a constraint, unseen messages are unread; saying so lets the index fit.
    flagCondition(filter.seen, sql`m.seen`, sql`not m.seen and not m.read`),
    flagCondition(filter.archived, sql`m.archived_at is not null`, sql`m.archived_at is null`),
    flagCondition(
      filter.snoozed,
      sql`m.snoozed_until > ${now}`,
      sql`(m.snoozed_until is null or m.snoozed_until <= ${now})`,
    ),
    payload === undefined ? [] : sql`e.payload @> ${JSON.stringify(payload)}::jsonb`,
    data.map(({ path, anyOf }) => {
      const values = anyOf.map((value) => JSON.stringify(value ?? null))
      return sql`m.data #> ${path}::text[] @> any (${values}::jsonb[])`
    }),
    tags.map((group) => versionHas(sql`v.definition->'tags' ?| ${group}::text[]`)),
    severity === undefined ? [] : versionHas(sql`v.definition->>'severity' = any (${severity}::text[])`),
    createdFrom === undefined ? [] : sql`m.id >= uuid_at(${createdFrom}::timestamptz)`,
    createdTo === undefined ? [] : sql`m.id < uuid_at(${new Date(createdTo.getTime() + 1)}::timestamptz)`,
    contextKeys === undefined ? [] : sql`coalesce(m.context_keys, '{}') = ${contextKeys}::text[]`,
  ].flat()
}

function versionHas(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select 1 from workflow_version v where v.environment_id = m.environment_id
    and v.workflow_id = m.workflow_id and v.version = m.workflow_version and ${condition})`
}

/** Which messages a change concerns, and what it does to them. */
function assignments(change: FeedChange, now: Date): { needed: RawBuilder<unknown>; set: RawBuilder<unknown> } {
  switch (change.to) {
    case 'seen':
      return {
        needed: sql`not m.seen and not m.read`,
        set: sql`seen = true, seen_at = ${now}, first_seen_at = coalesce(m.first_seen_at, ${now})`,
      }
    case 'unseen':
      return { needed: sql`m.seen`, set: sql`seen = false, read = false` }
    case 'read':
      return {
        needed: sql`not m.read`,
        set: sql`read = true, read_at = ${now}, seen = true, first_seen_at = coalesce(m.first_seen_at, ${now}),
          seen_at = case when m.seen then m.seen_at else ${now} end`,
      }
    case 'unread':
      return { needed: sql`m.read`, set: sql`read = false` }
    case 'archived':
      return { needed: sql`m.archived_at is null`, set: sql`archived_at = ${now}` }
    case 'unarchived':
      return { needed: sql`m.archived_at is not null`, set: sql`archived_at = null` }
    case 'snoozed':
      return {
        needed: sql`m.snoozed_until is distinct from ${change.until}`,
        // The end of an earlier snooze counts as a delivery: its time is kept before it is overwritten.
        set: sql`snoozed_until = ${change.until}, redelivered_at =
          case when m.snoozed_until <= ${now} then m.redelivered_at || m.snoozed_until else m.redelivered_at end`,
      }
    case 'unsnoozed':
      return {
        needed: sql`m.snoozed_until > ${now}`,
        set: sql`snoozed_until = null, redelivered_at = m.redelivered_at || ${now}::timestamptz(3)`,
      }
    default:
      return change satisfies never
  }
}
