import { type RawBuilder, sql } from 'kysely'

/**
 * Said beside a join with a list of ids: the planner then leaves out the weeks that hold none of them before it plans,
 * instead of planning for all and passing by them at every row.
 */
export function withinIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  let [first, last] = [ids[0] ?? null, ids[0] ?? null]
  for (const id of ids) {
    if (first === null || id < first) first = id
    if (last === null || id > last) last = id
  }
  return sql<boolean>`${sql.ref(column)} between ${first}::uuid and ${last}::uuid`
}
