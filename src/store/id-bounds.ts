import { type RawBuilder, sql } from 'kysely'
import { uuid7Time } from '../lib/uuid7.ts'

// Where PostgreSQL expects one row and finds many, it compares each of them with each id.
const mostInList = 100

/**
 * For a join on a list of ids: PostgreSQL then leaves out weeks without any of them once, not at every row. Few ids may lie
 * far apart and are looked for one by one; many were made together, and what lies between the first and the last is read.
 */
export function withinIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  if (ids.length <= mostInList) return sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`
  let [first, last] = [ids[0] ?? null, ids[0] ?? null]
  for (const id of ids) {
    if (first === null || id < first) first = id
    if (last === null || id > last) last = id
  }
  return sql<boolean>`${sql.ref(column)} between ${first}::uuid and ${last}::uuid`
}

/** Rows that were made of this one have its time: for a join of all of an event's with one another. */
export function withinTimeOf(column: string, id: string): RawBuilder<boolean> {
  const time = uuid7Time(id)
  const after = new Date(time.getTime() + 1)
  return sql<boolean>`(${sql.ref(column)} >= uuid_at(${time}) and ${sql.ref(column)} < uuid_at(${after}))`
}
