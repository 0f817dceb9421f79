import { type RawBuilder, sql } from 'kysely'

/**
 * For a join on a list of ids: PostgreSQL then leaves out weeks without any of them once, not at every row, and looks for
 * each by its key. (With bounds instead of the list it may read all rows between the first and the last.)
 */
export function withinIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`
}
