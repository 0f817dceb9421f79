import { sql } from 'kysely'
import type { Db } from './database.ts'

// The overview asks every 5 s: together it knows within 15 s that no worker runs. A worker that is merely busy is not missed.
export const aliveEveryMs = 3_000
const missedAfterMs = 10_000

/** Of many workers one in three seconds writes it. */
export async function tellAlive(db: Db, now: Date): Promise<void> {
  const recently = new Date(now.getTime() - aliveEveryMs / 2)
  await sql`update worker_alive set at = ${now} where at < ${recently}`.execute(db)
}

/** For how many seconds no worker has said that it runs; null if one does. */
export async function findWorkerMissing(db: Db, now: Date): Promise<number | null> {
  const late = new Date(now.getTime() - missedAfterMs)
  const { rows } = await sql<{ seconds: number }>`
    select round(extract(epoch from (${now}::timestamptz - at)))::int as seconds
    from worker_alive where at < ${late}`.execute(db)
  return rows[0]?.seconds ?? null
}
