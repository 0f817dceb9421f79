import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { Move } from './move.ts'

/** Both cells as they were at the switch, for a comparison that takes longer than anybody can be held. */
export type Snapshots = {
  take(): Promise<void>
  /** Null: none were taken. */
  both(): { source: Db; target: Db } | null
  release(): Promise<void>
}

export function createSnapshots({ source, target }: Pick<Move, 'source' | 'target'>): Snapshots {
  let open: { trx: Db; end(): Promise<void> }[] = []

  async function openOne(db: Db) {
    const trx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
    open.push({ trx, end: () => trx.rollback().execute() })
    // The first statement fixes what it sees.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await sql`select 1 from environment limit 1`.execute(trx)
    return trx
  }

  async function release(): Promise<void> {
    const ending = open.map(({ end }) => end().catch(() => {}))
    open = []
    await Promise.all(ending)
  }

  let taken: { source: Db; target: Db } | null = null
  return {
    async take() {
      const [here, there] = await Promise.all([openOne(source.database.db), openOne(target.database.db)])
      taken = { source: here, target: there }
    },
    both: () => taken,
    async release() {
      taken = null
      await release()
    },
  }
}
