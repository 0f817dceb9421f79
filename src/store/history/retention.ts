import { sql } from 'kysely'
import { enterLoops } from '../access/enter-loops.ts'
import type { Db } from '../database.ts'

// Any unused number. One node drops old history; the others find the lock taken and do nothing.
const retentionLock = 7_264_002

/** Locked until the transaction ends; false when another node has the lock. */
export async function claimRetention(trx: Db): Promise<boolean> {
  // Dropping a week may read a hundred million rows.
  await sql`set local statement_timeout = 0`.execute(trx)
  const { rows } = await sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(retentionLock)}) as ours`.execute(trx)
  return rows[0]?.ours ?? false
}

/**
 * Whether an environment is on its way into this cell or out of it. Until the transaction ends none is frozen, so no move
 * comes to its end.
 */
export async function isMoving(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ moving: boolean }>`
    select cardinality(${enterLoops}) >= 0 and is_moving() as moving`.execute(trx)
  return rows[0]?.moving ?? false
}

/** The weeks that ended before `before`, the oldest first. */
export async function listOldWeeks(db: Db, before: Date): Promise<Date[]> {
  const { rows } = await sql<{ week: Date }>`
    select distinct to_timestamp(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' as week
    from partitioned_parents() p
    join pg_inherits i on i.inhparent = p::regclass join pg_class c on c.oid = i.inhrelid
    where c.relname ~ '_\\d{8}$'
      and to_timestamp(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' + interval '7 days' <= ${before}
    order by 1`.execute(db)
  return rows.map((row) => row.week)
}

/** More steps of this week wait than can be moved under a lock without anybody noticing. */
export async function isCrowded(db: Db, week: Date, most: number): Promise<boolean> {
  const { rows } = await sql<{ crowded: boolean }>`select week_is_crowded(${week}, ${most}::int) as crowded`.execute(db)
  return rows[0]?.crowded ?? false
}

/** Looks through a batch of a crowded week, without locks, and deletes what was finished before `before`. 0: done for today. */
export async function purgeWeek(trx: Db, week: Date, before: Date, batch: number): Promise<number> {
  const { rows } = await sql<{ seen: number }>`select purge_week(${week}, ${before}, ${batch}::int) as seen`.execute(
    trx,
  )
  return rows[0]?.seen ?? 0
}

/** Detaches the week, puts back what is not finished, drops the rest; returns how many notifications stay. */
export async function dropWeek(trx: Db, week: Date): Promise<number> {
  const { rows } = await sql<{ kept: number }>`select drop_week(${week}) as kept`.execute(trx)
  await trx.deleteFrom('week_purge').where('week', '=', week).execute()
  return rows[0]?.kept ?? 0
}

/** Deletes a batch of rows that stayed when their week was dropped and were finished before `before`. */
export async function purgeOutlived(trx: Db, before: Date, batch: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`select purge_outlived(${before}, ${batch}::int) as gone`.execute(trx)
  return rows[0]?.gone ?? 0
}

/** Deletes attachments whose events are gone. */
export async function purgeAttachments(db: Db, before: Date, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from event_attachment where ctid = any (array(
      select a.ctid from event_attachment a where a.event_id < uuid_at(${before})
        and a.environment_id <> all (${enterLoops}) and not exists (
        select 1 from event e where e.environment_id = a.environment_id and e.id = a.event_id)
      order by a.event_id limit ${batch}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes transactionIds whose events are gone, so that they can be used again. */
export async function purgeEventKeys(db: Db, before: Date, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from event_key where ctid = any (array(
      select k.ctid from event_key k where k.event_id < uuid_at(${before})
        and k.environment_id <> all (${enterLoops}) and not exists (
        select 1 from event e where e.environment_id = k.environment_id and e.id = k.event_id)
      order by k.event_id limit ${batch}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
