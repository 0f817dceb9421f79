import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { withinIds } from '../id-bounds.ts'

/** A row of a page, and about how many bytes it has with the payload and overrides of its event. */
export type Sized = { id: string; bytes: number }

/** Adds the sizes of their events; of each event once, because to know it PostgreSQL must write it as text. */
export async function addEventSizes(
  db: Db,
  env: Env,
  rows: readonly (Sized & { event_id: string })[],
): Promise<Sized[]> {
  const ids = [...new Set(rows.map((row) => row.event_id))]
  if (ids.length === 0) return []
  const found = await sql<Sized>`
    select e.id, octet_length(e.payload::text) + octet_length(e.overrides::text) as bytes
    from unnest(${ids}::uuid[]) as wanted (id)
    join event e on e.environment_id = ${env.environmentId} and e.id = wanted.id and ${withinIds('e.id', ids)}`.execute(
    db,
  )
  const sizes = new Map(found.rows.map(({ id, bytes }) => [id, bytes]))
  return rows.map(({ id, bytes, event_id }) => ({ id, bytes: bytes + (sizes.get(event_id) ?? 0) }))
}

/** Of rows with an event: only the first of each has its fields, so that they are read once; the rest share them. */
export function shareEvents<E extends object, R extends { event_id: string; is_first: boolean }>(
  rows: readonly R[],
  fieldsOf: (row: R) => E,
): (Omit<R, 'is_first'> & E)[] {
  const events = new Map(rows.flatMap((row) => (row.is_first ? [[row.event_id, fieldsOf(row)]] : [])))
  return rows.map(({ is_first: _, ...row }) => ({ ...row, ...(events.get(row.event_id) as E) }))
}
