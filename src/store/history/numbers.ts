import { type RawBuilder, sql } from 'kysely'
import type { Db, Env } from '../database.ts'

/** What a count is about. Null: not asked for. Empty: none. */
export type NumbersKey = {
  outcome: string
  channel: string | null
  workflowId: string | null
  providerId: string | null
}
/** `times` (in milliseconds) and `counts` belong together; both are null for all but the largest series. */
export type NumbersRow = NumbersKey & { total: number; times: number[] | null; counts: number[] | null }

export type NumbersQuery = {
  /** `from` and `to` are whole steps. */
  from: Date
  to: Date
  stepSeconds: number
  by: { channel: boolean; workflow: boolean; provider: boolean }
  channel?: string
  workflowId?: string
  providerId?: string
  outcome?: string
}

/** Sums and the tallies not yet added to them. One statement reads both, so that each count is seen once. */
function countedBetween(env: Env, from: Date, to: Date): RawBuilder<unknown> {
  const columns = sql`at, workflow_id, channel, provider_id, outcome, n`
  return sql`(
    select ${columns} from outcome_rollup where environment_id = ${env.environmentId} and at >= ${from} and at < ${to}
    union all
    select ${columns} from outcome_tally where environment_id = ${env.environmentId} and at >= ${from} and at < ${to})`
}

/** A row per key, the largest first; only the first `mostSeries` have points. */
export async function readSeries(db: Db, env: Env, query: NumbersQuery, mostSeries: number): Promise<NumbersRow[]> {
  const { from, to, stepSeconds, by } = query
  const asked = (isAsked: boolean, column: RawBuilder<unknown>) => (isAsked ? column : sql`null`)
  const where = [
    sql`true`,
    ...(query.channel === undefined ? [] : [sql`channel = ${query.channel}`]),
    ...(query.workflowId === undefined ? [] : [sql`workflow_id = ${query.workflowId}::uuid`]),
    ...(query.providerId === undefined ? [] : [sql`provider_id = ${query.providerId}`]),
    ...(query.outcome === undefined ? [] : [sql`outcome = ${query.outcome}`]),
  ]
  const { rows } = await sql<NumbersRow>`
    with point as materialized (
      select date_bin(${stepSeconds} * interval '1 second', at, '2000-01-01 00:00+00') as at, outcome,
        ${asked(by.channel, sql`channel`)}::text as channel, ${asked(by.workflow, sql`workflow_id`)}::uuid as workflow_id,
        ${asked(by.provider, sql`provider_id`)}::text as provider_id, sum(n) as n
      from ${countedBetween(env, from, to)} counted where ${sql.join(where, sql` and `)} group by 1, 2, 3, 4, 5),
    series as (
      select outcome, channel, workflow_id, provider_id, sum(n) as total,
        array_agg(extract(epoch from at)::float8 * 1000 order by at) as times,
        array_agg(n::float8 order by at) as counts
      from point group by 1, 2, 3, 4),
    placed as (
      select *, row_number() over (order by total desc, outcome, channel, workflow_id, provider_id) as place from series)
    select outcome, channel, workflow_id as "workflowId", provider_id as "providerId", total::float8 as total,
      case when place <= ${mostSeries} then times end as times, case when place <= ${mostSeries} then counts end as counts
    from placed order by place`.execute(db)
  return rows
}

export type RecentRow = {
  workflowId: string
  channel: string
  providerId: string
  outcome: string
  lastQuarter: number
  lastHour: number
  lastDay: number
}

/** The counts of the last day by workflow, channel, provider and outcome. */
export async function readRecent(db: Db, env: Env, now: Date): Promise<RecentRow[]> {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const { rows } = await sql<RecentRow>`
    select workflow_id as "workflowId", channel, provider_id as "providerId", outcome,
      coalesce(sum(n) filter (where at >= ${ago(15)}), 0)::float8 as "lastQuarter",
      coalesce(sum(n) filter (where at >= ${ago(60)}), 0)::float8 as "lastHour", sum(n)::float8 as "lastDay"
    from ${countedBetween(env, ago(24 * 60), ago(-1))} counted group by 1, 2, 3, 4`.execute(db)
  return rows
}

/** Events that still have recipients to reach: how many, up to `most`, and the oldest. */
export async function findWaitingEvents(
  db: Db,
  env: Env,
  most: number,
): Promise<{ count: number; oldestId: string | null }> {
  const { rows } = await sql<{ count: number; oldestId: string | null }>`
    select count(*)::int as count, min(id::text) as "oldestId" from (
      select id from event where environment_id = ${env.environmentId} and state = 'accepted' order by id limit ${most}) e`.execute(
    db,
  )
  return rows[0] ?? { count: 0, oldestId: null }
}

// The index of timers covers all environments: only this many of its entries are searched for ours.
const timersLookedAt = 5_000

/** When the most overdue timer was due: a delay, a digest, a message to be tried again. */
export async function findOldestDue(db: Db, env: Env, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select min(due) as due from (
      (select environment_id, run_at as due from job where run_at <= ${now} and status = 'delayed'
        order by run_at limit ${timersLookedAt})
      union all
      (select environment_id, retry_at as due from message where retry_at <= ${now} order by retry_at limit ${timersLookedAt})) t
    where environment_id = ${env.environmentId}`.execute(db)
  return rows[0]?.due ?? null
}

/** Messages that were given up, up to `most`. */
export async function countDeadMessages(db: Db, env: Env, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select 1 from message
      where environment_id = ${env.environmentId} and delivery = 'dead' limit ${most}) dead`.execute(db)
  return rows[0]?.n ?? 0
}

/** Tasks of this environment that were given up. */
export async function countQuarantined(db: Db, env: Env): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pgboss.job
    where name = 'dead-letters' and state < 'completed' and data->>'environmentId' = ${env.environmentId}`.execute(db)
  return rows[0]?.n ?? 0
}

/** How many active workflows have an active step of each type, in their current version. */
export async function countStepTypes(db: Db, env: Env): Promise<{ type: string; workflows: number }[]> {
  const { rows } = await sql<{ type: string; workflows: number }>`
    select step->>'type' as type, count(distinct w.id)::int as workflows from workflow w
    join workflow_version v on v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = w.version
    cross join jsonb_array_elements(v.definition->'steps') as step
    where w.environment_id = ${env.environmentId} and w.deleted_at is null and w.active
      and (step->'active')::boolean
    group by 1 order by 1`.execute(db)
  return rows
}
