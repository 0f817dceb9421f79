import { sql } from 'kysely'
import { type Db, inTransaction } from './database.ts'

/** One transaction, unless another process is in one of the same name right now: then `otherwise`, at once. */
export async function oneAtATime<T>(db: Db, name: string, work: (trx: Db) => Promise<T>, otherwise: T): Promise<T> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`tidings ${name}`}, 0)) as free`.execute(trx)
    return rows[0]?.free ? work(trx) : otherwise
  })
}
