import { sql } from 'kysely'
import type { Db } from './database.ts'

export type DatabaseClock = { now: () => Date; stop(): void }

// A clock drifts by some milliseconds in this time; a database that moved to another server is noticed as soon.
const measureEveryMs = 10_000

/**
 * The database's time, whatever the clock of this machine says: deadlines, leases and timers are rows that several
 * processes compare with their own "now", so all must mean the same. Between two measurements it runs on the monotonic
 * clock, which nobody sets.
 */
export async function startDatabaseClock(db: Db, everyMs = measureEveryMs): Promise<DatabaseClock> {
  const first = await measure(db)
  let aheadMs = (first.atLeastMs + first.atMostMs) / 2
  let measuring = false
  const timer = setInterval(async () => {
    if (measuring) return
    measuring = true
    // While the database is away the clock goes on by itself.
    const bounds = await measure(db).catch(() => null)
    measuring = false
    // Moved only as far as the measurement proves it wrong, so that a slow answer does no harm.
    if (bounds) aheadMs = Math.min(Math.max(aheadMs, bounds.atLeastMs), bounds.atMostMs)
  }, everyMs).unref()
  return {
    now: () => new Date(performance.now() + aheadMs),
    stop: () => clearInterval(timer),
  }
}

/** How far the database's time is ahead of `performance.now()`: it was read after we asked and before we heard. */
async function measure(db: Db): Promise<{ atLeastMs: number; atMostMs: number }> {
  const askedMs = performance.now()
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  const heardMs = performance.now()
  const ms = rows[0]?.ms ?? Number.NaN
  return { atLeastMs: ms - heardMs, atMostMs: ms - askedMs }
}
