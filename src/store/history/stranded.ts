import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A row that something must move, and that no task knows of: neither a queued nor a quarantined one. */
export type Stranded = { environmentId: string; id: string }

/** Events that have waited since before `before`. In a transaction. */
export function findStrandedEvents(db: Db, before: Date, limit: number): Promise<Stranded[]> {
  return withoutTask(db, { from: 'open_events', before, queue: 'expand-events', field: 'eventIds', limit })
}

/** Notifications with a step that waited before `before` and that nothing will wake. In a transaction. */
export function findStrandedNotifications(db: Db, before: Date, limit: number): Promise<Stranded[]> {
  const field = 'notificationIds'
  return withoutTask(db, { from: 'idle_notifications', before, queue: 'advance-notifications', field, limit })
}

type Asked = { from: string; before: Date; queue: string; field: string; limit: number }

/** One hash join of all that waits with all that is queued. */
async function withoutTask(db: Db, { from, before, queue, field, limit }: Asked): Promise<Stranded[]> {
  // The planner expects a handful on either side; nested loops over a backlog would take minutes.
  await sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`.execute(db)
  const { rows } = await sql<Stranded>`
    with queued as materialized (
      select jsonb_array_elements_text(task.data->${field}::text) as id from pgboss.job task
      where (task.name = ${queue} and task.state < 'completed' or task.name = 'dead-letters')
        and jsonb_typeof(task.data->${field}::text) = 'array')
    select waiting.environment_id as "environmentId", waiting.id from ${sql.raw(from)}(${before}) waiting
    where not exists (select 1 from queued where queued.id = waiting.id::text)
    order by waiting.environment_id, waiting.id limit ${limit}`.execute(db)
  await sql`select set_config('enable_nestloop', 'on', true)`.execute(db)
  return rows
}
