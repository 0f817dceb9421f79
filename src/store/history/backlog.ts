import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { type ConservationState, readConservation } from './conservation-rows.ts'

export type QueueState = { queue: string; priority: number; waiting: number; active: number; oldest: Date | null }
export type TimerState = { kind: 'job' | 'message' | 'dead'; count: number; oldest: Date | null }
export type BacklogState = {
  queues: QueueState[]
  timers: TimerState[]
  quarantined: { queue: string; count: number }[]
  conservation: ConservationState
}

// Beyond this the exact number does not matter, and counting would be slow.
const most = 10_000
const timeout = '2s'

/**
 * The backlog of all environments, for operators. Each part is read through an index of what waits, up to a bound, so
 * that it adds little load to a database in trouble.
 */
export async function readBacklog(db: Db, now: Date): Promise<BacklogState> {
  return db.transaction().execute(async (trx) => {
    // Compiling would take ten times as long as running. Queues outgrow their statistics, so index scans are forced.
    await sql`select set_config('statement_timeout', ${timeout}, true), set_config('jit', 'off', true),
      set_config('enable_seqscan', 'off', true)`.execute(trx)
    const queues = await sql<QueueState>`
      select q.name as queue, lane.priority, w.waiting, a.active, w.oldest
      from pgboss.queue q cross join (values (30), (20), (10)) lane (priority)
      cross join lateral (
        select count(*)::int as waiting, min(greatest(t.created_on, t.start_after)) as oldest from (
          select j.created_on, j.start_after from pgboss.job j
          where j.name = q.name and j.priority = lane.priority and j.state < 'active' and not j.blocked
          order by j.created_on limit ${most}) t
        where t.start_after <= ${now}) w
      cross join lateral (
        select count(*)::int as active from (
          select 1 from pgboss.job j where j.name = q.name and j.state = 'active' and j.group_id is not null
            and j.priority = lane.priority limit ${most}) t) a
      where q.name <> 'dead-letters'`.execute(trx)
    const timers = await sql<TimerState>`select * from watch_backlog(${now}, ${most})`.execute(trx)
    const quarantined = await sql<{ queue: string; count: number }>`
      select coalesce(t.source_name, 'unknown') as queue, count(*)::int as count from (
        select j.source_name from pgboss.job j where j.name = 'dead-letters' and j.state < 'completed' limit ${most}) t
      group by 1`.execute(trx)
    const conservation = await readConservation(trx)
    return { queues: queues.rows, timers: timers.rows, quarantined: quarantined.rows, conservation }
  })
}
