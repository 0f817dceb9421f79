import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** What keeps PostgreSQL from removing dead rows. Two are known by their time, all of them by their count of transactions. */
export type XminHolder = {
  holder: 'session' | 'prepared' | 'slot' | 'standby'
  transactions: number
  seconds: number | null
}
export type StandbyState = { wanted: number; streaming: number; holders: XminHolder[] }

/**
 * How many standbys a commit waits for, how many of those there are, and who holds up the removal of dead rows. Null when
 * this role may not see the sessions of others: half the truth would look as if all were well.
 */
export async function readStandbys(db: Db): Promise<StandbyState | null> {
  const { rows } = await sql<{ names: string; streaming: number }>`
    select current_setting('synchronous_standby_names') as names,
      (select count(*)::int from pg_stat_replication where state = 'streaming' and sync_state in ('sync', 'quorum')) as streaming
    where pg_has_role(current_user, 'pg_read_all_stats', 'usage')`.execute(db)
  const [found] = rows
  if (!found) return null
  // An age is counted at the moment of asking, so ours is left out: this very statement has the newest of all.
  const holders = await sql<XminHolder>`
    select holder, coalesce(max(age(xmin)), 0)::int as transactions,
      case when holder in ('session', 'prepared')
        then coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8 end as seconds
    from (values ('session'), ('prepared'), ('slot'), ('standby')) kind (holder) left join (
      select 'session' as of, backend_xmin as xmin, xact_start as since from pg_stat_activity
        where backend_xmin is not null and backend_type <> 'walsender' and pid <> pg_backend_pid()
      union all select 'prepared', transaction, prepared from pg_prepared_xacts
      union all select 'slot', held, null from pg_replication_slots cross join unnest(array[xmin, catalog_xmin]) held
      union all select 'standby', backend_xmin, null from pg_stat_replication) it on of = holder and xmin is not null
    group by holder`.execute(db)
  return { wanted: countWanted(found.names), streaming: found.streaming, holders: holders.rows }
}

/** How many standbys `synchronous_standby_names` asks for: `a, b` is one of them, `ANY 2 (…)`, `FIRST 2 (…)` and `2 (…)` are two. */
export function countWanted(names: string): number {
  const text = names.trim()
  if (text === '') return 0
  return Number(/^(?:any|first)?\s*(\d+)\s*\(/i.exec(text)?.[1] ?? 1)
}
