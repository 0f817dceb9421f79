import { sql } from 'kysely'
import type { Db, Env } from './database.ts'
import { named } from './rows/named-statements.ts'

type Row = Record<string, unknown>

/**
 * Inserts many rows in one statement and returns how many were new; rows whose key exists stay as they are. They are
 * written in the order of their ids, so that two that write the same rows wait for each other and do not deadlock. To save
 * bytes, values that all rows share (one event, one workflow) are sent once, and nulls are not sent.
 * `columns`: name → type. `same`: values for all rows, as parameters.
 */
export async function insertRows(
  db: Db,
  env: Env,
  table: string,
  { columns, same = {} }: { columns: Record<string, string>; same?: Record<string, unknown> },
  rows: readonly { id: string }[],
): Promise<number> {
  if (rows.length === 0) return 0
  const { shared, own } = splitShared(sortedById(rows))
  const names = Object.keys(columns)
  const shape = sql.raw(
    Object.entries(columns)
      .map((column) => column.join(' '))
      .join(', '),
  )
  const values = sql.raw(names.map((name) => `coalesce(own.${name}, shared.${name})`).join(', '))
  const { numAffectedRows } = await sql`${named}
    insert into ${sql.table(table)} (environment_id, ${sql.raw([...names, ...Object.keys(same)].join(', '))})
    select ${sql.join([env.environmentId, values, ...Object.values(same)])}
    from jsonb_to_recordset(${JSON.stringify(own)}::jsonb) as own (${shape})
    cross join jsonb_to_record(${JSON.stringify(shared)}::jsonb) as shared (${shape})
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export function sortedById<T extends { id: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

function splitShared(rows: readonly Row[]): { shared: Row; own: Row[] } {
  const shared: Row = {}
  for (const [key, value] of Object.entries(rows[0] ?? {})) {
    if (value !== null && rows.every(hasSame(key, value))) shared[key] = value
  }
  return { shared, own: rows.map((row) => without(row, shared)) }
}

function hasSame(key: string, value: unknown): (row: Row) => boolean {
  if (typeof value !== 'object') return (row) => row[key] === value
  const text = JSON.stringify(value)
  return (row) => JSON.stringify(row[key]) === text
}

function without(row: Row, shared: Row): Row {
  const kept: Row = {}
  for (const key in row) if (row[key] !== null && !(key in shared)) kept[key] = row[key]
  return kept
}
