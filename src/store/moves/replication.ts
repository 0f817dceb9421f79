import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { MovedTable } from './moved-tables.ts'

/**
 * PostgreSQL's logical replication of one environment's rows. Publication, slot and subscription have one name. A slot that
 * nobody reads keeps the log of its cell for ever: whoever makes one sees to it that it is dropped.
 */
export const prefix = 'tidings_move_'

export function replicationName(environmentId: string): string {
  return prefix + environmentId.replaceAll('-', '')
}

/** In the source. Nothing happens if it is there. */
export async function publish(db: Db, environmentId: string, tables: readonly MovedTable[]): Promise<void> {
  const name = replicationName(environmentId)
  const { rows } = await sql`select 1 from pg_publication where pubname = ${name}`.execute(db)
  if (rows.length > 0) return
  const filtered = tables.map(
    (it) => sql`${sql.table(it.name)} where (environment_id = ${sql.lit(environmentId)}::uuid)`,
  )
  await sql`create publication ${sql.id(name)} for table ${sql.join(filtered)}
    with (publish_via_partition_root = true)`.execute(db)
}

/** In the source, apart from the subscription: whoever dies between the two finds it again. */
export async function makeSlot(db: Db, environmentId: string): Promise<void> {
  const name = replicationName(environmentId)
  await sql`select pg_create_logical_replication_slot(${name}, 'pgoutput')
    where not exists (select 1 from pg_replication_slots where slot_name = ${name})`.execute(db)
}

export type Subscription = { oid: string; enabled: boolean }

export async function findSubscription(db: Db, environmentId: string): Promise<Subscription | null> {
  const { rows } = await sql<Subscription>`
    select oid::text, subenabled as enabled from pg_subscription
    where subname = ${replicationName(environmentId)}
      and subdbid = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows[0] ?? null
}

/** In the target. From now on rows are copied, and then changed as they are in the source. */
export async function subscribe(db: Db, environmentId: string, sourceUrl: string): Promise<void> {
  const name = replicationName(environmentId)
  const found = await findSubscription(db, environmentId)
  if (found?.enabled) return
  if (found) {
    await sql`alter subscription ${sql.id(name)} enable`.execute(db)
    return
  }
  await sql`create subscription ${sql.id(name)} connection ${sql.lit(withTimeout(sourceUrl))} publication ${sql.id(name)}
    with (create_slot = false, slot_name = ${sql.lit(name)}, copy_data = true, streaming = on)`.execute(db)
}

/** A source that is away is noticed by whoever drops the subscription, not waited for. */
function withTimeout(url: string): string {
  if (/[?&]connect_timeout=/.test(url)) return url
  return `${url}${url.includes('?') ? '&' : '?'}connect_timeout=10`
}

export type CopyState = {
  /** Tables, and those that are copied and follow. */
  tables: number
  ready: string[]
  /** Rows that were copied of tables that are not ready yet. */
  rowsUnderWay: number
  /** How often the target refused something, since the subscription was made. */
  errors: number
  isRunning: boolean
}

export async function readCopyState(db: Db, environmentId: string): Promise<CopyState> {
  const { rows } = await sql<CopyState>`
    select (select count(*)::int from pg_subscription_rel r where r.srsubid = s.oid) as tables,
      array(select r.srrelid::regclass::text from pg_subscription_rel r where r.srsubid = s.oid and r.srsubstate = 'r') as ready,
      (select coalesce(sum(p.tuples_processed), 0)::float8 from pg_stat_progress_copy p
        join pg_subscription_rel r on r.srsubid = s.oid and r.srrelid = p.relid
        where p.datname = current_database()) as "rowsUnderWay",
      (select coalesce(sum(t.apply_error_count + t.sync_error_count), 0)::int from pg_stat_subscription_stats t
        where t.subid = s.oid) as errors,
      exists (select 1 from pg_stat_subscription t where t.subid = s.oid and t.pid is not null) as "isRunning"
    from pg_subscription s where s.subname = ${replicationName(environmentId)}
      and s.subdbid = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows[0] ?? { tables: 0, ready: [], rowsUnderWay: 0, errors: 0, isRunning: false }
}

export type SlotState = {
  isLost: boolean
  isActive: boolean
  /** How much of the source's log is kept for it. */
  keptBytes: number
  /** How much of it the target has not confirmed. */
  lagBytes: number
}

/** Null: there is none. */
export async function readSlot(db: Db, environmentId: string): Promise<SlotState | null> {
  const { rows } = await sql<SlotState>`
    select coalesce(wal_status = 'lost', false) as "isLost", active as "isActive",
      coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 as "keptBytes",
      coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn), 0)::float8 as "lagBytes"
    from pg_replication_slots where slot_name = ${replicationName(environmentId)}`.execute(db)
  return rows[0] ?? null
}

/** In the target: nothing that comes from the source is applied any more. */
export async function stopSubscription(db: Db, environmentId: string): Promise<void> {
  if (await findSubscription(db, environmentId))
    await sql`alter subscription ${sql.id(replicationName(environmentId))} disable`.execute(db)
}

/**
 * In the target. Drops the slots in the source as well, if the source answers: false means that they are still there, and
 * `dropSlots` is to be called there.
 */
export async function dropSubscription(db: Db, environmentId: string): Promise<boolean> {
  if (!(await findSubscription(db, environmentId))) return true
  const name = sql.id(replicationName(environmentId))
  await sql`alter subscription ${name} disable`.execute(db)
  const dropped = await sql`drop subscription ${name}`.execute(db).then(
    () => true,
    () => false,
  )
  if (dropped) return true
  await sql`alter subscription ${name} set (slot_name = none)`.execute(db)
  await sql`drop subscription ${name}`.execute(db)
  return false
}

/** In the source: the publication, the slot, and those that the subscription made for single tables. */
export async function dropPublishing(
  db: Db,
  environmentId: string,
  made: { subscriptionOid: string | null; targetSystem: string | null },
): Promise<void> {
  const name = replicationName(environmentId)
  const ofTables =
    made.subscriptionOid && made.targetSystem ? `^pg_${made.subscriptionOid}_sync_\\d+_${made.targetSystem}$` : '^$'
  const slots = sql`pg_replication_slots
    where (slot_name = ${name} or slot_name ~ ${ofTables}) and database = current_database()`
  await sql`select pg_terminate_backend(active_pid) from ${slots} and active_pid is not null`.execute(db)
  for (let tries = 0; ; tries++) {
    try {
      await sql`select pg_drop_replication_slot(slot_name) from ${slots}`.execute(db)
      break
    } catch (error) {
      // The process that was ended has not let go of it yet.
      if (tries >= 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await sql`drop publication if exists ${sql.id(name)}`.execute(db)
}

/** Whether rows of it that are deleted here would be deleted elsewhere, too. */
export async function isPublished(db: Db, environmentId: string): Promise<boolean> {
  const name = replicationName(environmentId)
  const { rows } = await sql`
    select 1 from pg_publication where pubname = ${name}
    union all select 1 from pg_replication_slots where slot_name = ${name}`.execute(db)
  return rows.length > 0
}

/** Everything of ours in this cell, of whatever environment: what a mover that died has left. */
export async function listLeftBehind(db: Db): Promise<{ kind: string; name: string; keptBytes: number | null }[]> {
  const { rows } = await sql<{ kind: string; name: string; keptBytes: number | null }>`
    select 'slot' as kind, slot_name as name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as "keptBytes"
    from pg_replication_slots
    where (starts_with(slot_name, ${prefix}) or slot_name ~ '^pg_\\d+_sync_\\d+_\\d+$') and database = current_database()
    union all select 'publication', pubname, null from pg_publication where starts_with(pubname, ${prefix})
    union all select 'subscription', subname, null from pg_subscription
    where starts_with(subname, ${prefix}) and subdbid = (select oid from pg_database where datname = current_database())
    order by 1, 2`.execute(db)
  return rows
}
