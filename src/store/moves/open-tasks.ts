import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { sendSignalsOnce } from '../signals/channel.ts'

/**
 * Everything in the queues that belongs to an environment: what waits, what is in hand, and what was given up. In two
 * parts, for each of which the queues have an index: they may also hold an hour of tasks that are done.
 */
const ofEnvironment = (environmentId: string) => sql`
  (state < 'active' and not blocked or state = 'active' and group_id is not null)
  and data->>'environmentId' = ${environmentId}::text`

/** As text, which the other cell reads with the types of its own columns. */
export async function readOpenTasks(db: Db, environmentId: string): Promise<{ tasks: string; count: number }> {
  const { rows } = await sql<{ tasks: string; count: number }>`
    select coalesce(json_agg(t), '[]')::text as tasks, count(*)::int as count from pgboss.job t
    where ${ofEnvironment(environmentId)}`.execute(db)
  return rows[0] ?? { tasks: '[]', count: 0 }
}

/**
 * Puts these in the place of all that an earlier try to move has left. A task that a worker of the old cell has in hand
 * waits again here: whatever that worker still does is refused, or was done before the freeze, and twice does no harm.
 */
export async function replaceOpenTasks(db: Db, environmentId: string, tasks: string): Promise<void> {
  const text = sql`json_populate_recordset(null::pgboss.job, ${tasks}::json)`
  await deleteOpenTasks(db, environmentId)
  // A task may come back to a cell in which it has ended.
  await sql`delete from pgboss.job t using ${text} g where t.name = g.name and t.id = g.id`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select string_agg(quote_ident(attname), ', ' order by attnum) as name from pg_attribute
    where attrelid = 'pgboss.job'::regclass and attnum > 0 and not attisdropped
      and attname not in ('state', 'started_on', 'heartbeat_on')`.execute(db)
  const same = sql.raw(rows[0]?.name ?? '')
  await sql`
    insert into pgboss.job (${same}, state)
    select ${same}, case when state <> 'active' then state when retry_count > 0 then 'retry'::pgboss.job_state
      else 'created'::pgboss.job_state end
    from ${text}`.execute(db)
}

/** Returns how many. */
export async function deleteOpenTasks(db: Db, environmentId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from pgboss.job where ${ofEnvironment(environmentId)}`.execute(db)
  return Number(numAffectedRows)
}

/** The queues that tasks can be put into, and the version of their tables. */
export async function readQueues(db: Db): Promise<{ version: number | null; names: string[] }> {
  const there = await sql<{ there: boolean }>`select to_regclass('pgboss.queue') is not null as there`.execute(db)
  if (!there.rows[0]?.there) return { version: null, names: [] }
  const { rows } = await sql<{ version: number | null; names: string[] }>`
    select (select max(version)::int from pgboss.version) as version,
      array(select name from pgboss.queue order by name) as names`.execute(db)
  return rows[0] ?? { version: null, names: [] }
}

/** Workers of the cell look at every queue now, instead of at the next second. */
export async function wakeWorkers(db: Db): Promise<void> {
  const { rows } = await sql<{ signal: string }>`
    select 'mover ' || lane || ' ' || name as signal from pgboss.queue,
      unnest(array['critical', 'transactional', 'bulk']) as lane where name <> 'dead-letters'`.execute(db)
  const signals = rows.map(({ signal }) => signal)
  await sendSignalsOnce(db, 'tidings_queues', signals)
}
