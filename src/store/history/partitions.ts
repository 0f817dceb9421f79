import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Weekly partitions over a span of time, those that are missing. Each is made in a transaction of its own: who held the
 * lock of one table while waiting for the next could stand in a circle with a request that uses both.
 */
export async function ensurePartitions(db: Db, first: Date, last: Date): Promise<void> {
  const { rows } = await sql<{ parent: string; week: Date }>`select parent, week
    from missing_partitions(${first}::timestamptz, ${last}::timestamptz)`.execute(db)
  for (const { parent, week } of rows) await sql`select make_partition(${parent}, ${week}::timestamptz)`.execute(db)
}
