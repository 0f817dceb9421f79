import { sql } from 'kysely'
import type { Db } from './database.ts'

export type QueueLook = { queue: string; is_due: boolean; is_active: boolean }

/** Whether a task can be taken from each queue, and whether one is being worked on, by anybody. */
export async function lookAtQueues(db: Db, names: readonly string[]): Promise<QueueLook[]> {
  const { rows } = await sql<QueueLook>`select * from look_at_queues(${[...names]})`.execute(db)
  return rows
}
