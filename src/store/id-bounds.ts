import { type RawBuilder, sql } from 'kysely'

/** For a join on a list of ids: PostgreSQL then leaves out weeks without any of them once, not at every row. */
export function withinIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  let [first, last] = [ids[0] ?? null, ids[0] ?? null]
  for (const id of ids) {
    if (first === null || id < first) first = id
    if (last === null || id > last) last = id
  }
  return sql<boolean>`${sql.ref(column)} between ${first}::uuid and ${last}::uuid`
}
