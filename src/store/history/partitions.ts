import { sql } from 'kysely'
import type { Db } from '../database.ts'

export async function ensurePartitions(db: Db, now: Date): Promise<void> {
  await sql`select ensure_partitions(${now}::timestamptz, ${now}::timestamptz + interval '28 days')`.execute(db)
}
