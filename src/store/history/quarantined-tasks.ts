import { type RawBuilder, sql } from 'kysely'
import { enterLoops } from '../access/enter-loops.ts'
import type { Db } from '../database.ts'

export type QuarantinedTasks = { task: string; count: number; since: Date; lastReason: string | null }

const reason = sql`coalesce(source_output->>'message', source_output->'value'->>'message')`

/** Tasks that were given up, by their kind. */
export async function countQuarantinedTasks(db: Db): Promise<QuarantinedTasks[]> {
  const { rows } = await sql<QuarantinedTasks>`
    select coalesce(source_name, 'unknown') as task, count(*)::int as count, min(created_on) as since,
      (array_agg(${reason} order by created_on desc))[1] as "lastReason"
    from pgboss.job where name = 'dead-letters' and state < 'completed' group by 1 order by 1`.execute(db)
  return rows
}

export type TaskInTrouble = {
  id: string
  task: string
  data: { environmentId: string } & Record<string, unknown>
  /** When it was given up, or queued. */
  since: Date
  reason: string | null
  /** Null: it was given up. */
  nextTry: Date | null
  /** How often its process died. */
  deaths: number
}

const deaths = (claims: RawBuilder<unknown>) => sql`coalesce(${claims}, 0) + coalesce((data->'tried'->>'died')::int, 0)`

/** The tasks that were given up, oldest first; with `id` that one. */
export async function listQuarantinedTasks(db: Db, limit: number, id?: string): Promise<TaskInTrouble[]> {
  const { rows } = await sql<TaskInTrouble>`
    select id, coalesce(source_name, 'unknown') as task, data, created_on as since, ${reason} as reason,
      null as "nextTry", ${deaths(sql`source_retry_count`)} as deaths
    from pgboss.job where name = 'dead-letters' and state < 'completed'
      ${id === undefined ? sql`` : sql`and id = ${id}::uuid`}
    order by created_on, id limit ${limit}`.execute(db)
  return rows
}

// Of three processes in a row, one was perhaps killed by the task.
const suspicious = 3

/** Tasks whose process died again and again. They come back by themselves, after a while that grows. */
export async function listDyingTasks(db: Db, limit: number, id?: string): Promise<TaskInTrouble[]> {
  const died = deaths(sql`retry_count + (state = 'retry')::int`)
  const { rows } = await sql<TaskInTrouble>`
    select id, name as task, data, created_on as since, coalesce(output->'value'->>'message', output->>'message') as reason,
      start_after as "nextTry", ${died} as deaths
    from pgboss.job where name <> 'dead-letters' and state < 'completed' and ${died} >= ${suspicious}
      ${id === undefined ? sql`` : sql`and id = ${id}::uuid`}
    order by created_on, id limit ${limit}`.execute(db)
  return rows
}

/**
 * Chooses what was given up because its processes died: so did versions before this one, after three deaths. The longer
 * it died, the longer it has waited. Marks the deaths in the task's data; the caller puts them back.
 */
export async function chooseTimedOutTasks(db: Db, limit: number): Promise<string[]> {
  const died = sql`(${deaths(sql`source_retry_count`)} + 1)`
  const { rows } = await sql<{ id: string }>`
    update pgboss.job set
      data = data || jsonb_build_object('tried', coalesce(data->'tried', '{}') || jsonb_build_object('died', ${died}))
    where name = 'dead-letters' and id in (
      select id from pgboss.job where name = 'dead-letters' and state = 'created'
        and coalesce(data->>'environmentId', '') <> all (${enterLoops}::text[]) and ${reason} in ('job heartbeat timeout', 'job timed out')
        and created_on < now() - least(3600, 15 * 2 ^ least(${died}, 12)) * interval '1 s'
      order by created_on limit ${limit} for update skip locked)
    returning id`.execute(db)
  return rows.map((row) => row.id)
}

/** Forgets how often these were tried: the cause is mended. */
export async function forgetTries(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update pgboss.job set data = data - 'tried'
    where name = 'dead-letters' and id in (select unnest(${ids}::uuid[]))`.execute(db)
}

/** Lets a task that waits run at once. */
export async function hurryTask(db: Db, id: string): Promise<void> {
  await sql`update pgboss.job set start_after = now() where id = ${id}::uuid and state in ('created', 'retry')`.execute(
    db,
  )
}
