import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type Placement = { environmentId: string; cell: string; generation: number }

/** Of the control database: where moved environments live. Null: all, else those that changed in the last seconds. */
export async function listPlacements(db: Db, changedWithinSeconds: number | null): Promise<Placement[]> {
  const { rows } = await sql<Placement>`
    select environment_id as "environmentId", cell, generation from placement
    where ${changedWithinSeconds}::float8 is null
      or changed_at > clock_timestamp() - make_interval(secs => ${changedWithinSeconds}::float8)`.execute(db)
  return rows
}
