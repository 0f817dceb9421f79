import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** An environment whose work waits behind that of others. Times as text. */
export type Slowed = { since: string; until: string; reason: 'failures' | 'rate'; text: string }

/** Of all environments. */
export async function listSlowed(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from environment where slowed is not null and (slowed ->> 'until')::timestamptz > now()`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type Watched = { id: string; slowed: Slowed | null }

/** Those that are to be slowed down when they jump. */
export async function listWatchedForJumps(db: Db): Promise<Watched[]> {
  const { rows } = await sql<Watched>`
    select id, case when (slowed ->> 'until')::timestamptz > now() then slowed end as slowed from environment
    where send_bounds ->> 'slowOnJumps' = 'true' and deleted_at is null
      and id <> all ((select held_environments())::uuid[])`.execute(db)
  return rows
}

export async function setSlowed(db: Db, environmentId: string, slowed: Slowed | null): Promise<void> {
  await sql`
    update environment set slowed = ${slowed && JSON.stringify(slowed)}::jsonb where id = ${environmentId}`.execute(db)
}

/** What happened lately, and what was usual before. */
export type Measured = {
  ended: number
  failed: number
  notified: number
  pastEnded: number
  pastFailed: number
  /** People notified in the busiest hour. */
  busiestHour: number
}

/** `since`: what is lately; what was before counts from `from` to `before`. */
export async function measureEnvironment(
  db: Db,
  environmentId: string,
  { from, before, since }: { from: Date; before: Date; since: Date },
): Promise<Measured> {
  const { rows } = await sql<Measured>`
    with counted as (
      select at, outcome, n from outcome_rollup where environment_id = ${environmentId} and at >= ${from}
      union all
      select at, outcome, n from outcome_tally where environment_id = ${environmentId} and at >= ${from}),
    sums as (
      select coalesce(sum(n) filter (where outcome in ('sent', 'failed') and at >= ${since}), 0)::int as ended,
        coalesce(sum(n) filter (where outcome = 'failed' and at >= ${since}), 0)::int as failed,
        coalesce(sum(n) filter (where outcome = 'notified' and at >= ${since}), 0)::int as notified,
        coalesce(sum(n) filter (where outcome in ('sent', 'failed') and at < ${before}), 0)::int as "pastEnded",
        coalesce(sum(n) filter (where outcome = 'failed' and at < ${before}), 0)::int as "pastFailed"
      from counted)
    select sums.*, coalesce((select max(hour.n) from (
      select sum(n) as n from counted where outcome = 'notified' and at < ${before}
      group by date_trunc('hour', at)) hour), 0)::int as "busiestHour"
    from sums`.execute(db)
  const [measured] = rows
  if (!measured) throw new Error('sums are one row')
  return measured
}
