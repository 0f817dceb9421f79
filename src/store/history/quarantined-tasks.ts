import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type QuarantinedTasks = { task: string; count: number; since: Date; lastReason: string | null }

/** Tasks that were given up, by their kind. */
export async function countQuarantinedTasks(db: Db): Promise<QuarantinedTasks[]> {
  const { rows } = await sql<QuarantinedTasks>`
    select coalesce(source_name, 'unknown') as task, count(*)::int as count, min(created_on) as since,
      (array_agg(coalesce(source_output->>'message', source_output->'value'->>'message') order by created_on desc))[1] as "lastReason"
    from pgboss.job where name = 'dead-letters' and state < 'completed' group by 1 order by 1`.execute(db)
  return rows
}
