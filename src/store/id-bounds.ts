import { type RawBuilder, sql } from 'kysely'

/**
 * For a join on many ids that were made together: PostgreSQL then leaves out weeks without any of them once, not at every
 * row. It may read all rows between the first and the last.
 */
export function withinIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  let [first, last] = [ids[0] ?? null, ids[0] ?? null]
  for (const id of ids) {
    if (first === null || id < first) first = id
    if (last === null || id > last) last = id
  }
  return sql<boolean>`${sql.ref(column)} between ${first}::uuid and ${last}::uuid`
}

/** The same for a few ids that may lie far apart, with thousands between them: each is looked for by its key. */
export function amongIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`
}
