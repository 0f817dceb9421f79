import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import type { MovedTable } from './moved-tables.ts'

/** Rows and the sum of their hashes: two cells that agree in both hold the same rows. */
export type Sum = { rows: number; hash: string }
/** Keys after the first and up to the second; null: from the beginning, to the end. */
export type Range = { after: readonly string[] | null; upTo: readonly string[] | null }

/** Rows are compared as text: both cells must write times, bytes and numbers alike. */
export async function readAlike(db: Db): Promise<void> {
  await sql`select set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO, YMD', false),
    set_config('bytea_output', 'hex', false), set_config('extra_float_digits', '1', false),
    set_config('intervalstyle', 'postgres', false), set_config('statement_timeout', '0', false)`.execute(db)
}

/** The key that ends a range of this many rows; null: there are fewer. */
export async function findRangeEnd(
  db: Db,
  environmentId: string,
  table: MovedTable,
  after: Range['after'],
  rows: number,
): Promise<string[] | null> {
  if (table.key.length === 0) return null
  const names = table.key.map((column) => sql`${sql.ref(column.name)}::text`)
  const found = await sql<{ key: string[] }>`
    select array[${sql.join(names)}] as key from ${sql.table(table.name)}
    where environment_id = ${environmentId} ${after ? sql`and ${keyOf(table)} > ${bound(table, after)}` : sql``}
    order by ${order(table, sql``)} offset ${rows - 1} limit 1`.execute(db)
  return found.rows[0]?.key ?? null
}

export async function sumRange(db: Db, environmentId: string, table: MovedTable, range: Range): Promise<Sum> {
  const { after, upTo } = range
  const { rows } = await sql<Sum>`
    select ${sum} from ${sql.table(table.name)} t where environment_id = ${environmentId}
      ${after ? sql`and ${keyOf(table)} > ${bound(table, after)}` : sql``}
      ${upTo ? sql`and ${keyOf(table)} <= ${bound(table, upTo)}` : sql``}`.execute(db)
  return rows[0] ?? { rows: 0, hash: '0' }
}

export async function countRows(db: Db, environmentId: string, table: MovedTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from ${sql.table(table.name)} where environment_id = ${environmentId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Which of some tables hold rows of the environment. */
export async function listFilled(db: Db, environmentId: string, tables: readonly string[]): Promise<string[]> {
  if (tables.length === 0) return []
  const looks = tables.map(
    (name) => sql`select ${name}::text as name
      where exists (select 1 from ${sql.table(name)} where environment_id = ${environmentId})`,
  )
  const { rows } = await sql<{ name: string }>`${sql.join(looks, sql` union all `)}`.execute(db)
  return rows.map((row) => row.name)
}

/** The newest rows of a kind that is still moving. */
export type HotPart = { name: string; table: string; where: 'all' | 'recent' | 'open' }

// More than this of one kind would take longer to add up than requests are held.
const mostHot = 5_000

const openRows: Readonly<Record<string, RawBuilder<unknown>>> = {
  event: sql`state = 'accepted'`,
  job: sql`status in ('delayed', 'pending')`,
  message: sql`retry_at is not null`,
}
const recentColumns: Readonly<Record<string, string>> = { event_key: 'event_id' }

/** What has changed last, or will change next: tables of history by their newest and open rows, the others whole. */
export function listHotParts(tables: readonly MovedTable[], partitioned: ReadonlySet<string>): HotPart[] {
  return tables.flatMap(({ name }): HotPart[] => {
    const isHistory = partitioned.has(name) || name in recentColumns
    const parts: HotPart[] = [
      { name: isHistory ? `${name}, recent` : name, table: name, where: isHistory ? 'recent' : 'all' },
    ]
    if (name in openRows) parts.push({ name: `${name}, open`, table: name, where: 'open' })
    return parts
  })
}

/** In one statement, in the order of the parts. `since`: rows made after it are recent. */
export async function sumHotParts(
  db: Db,
  environmentId: string,
  parts: readonly HotPart[],
  tables: ReadonlyMap<string, MovedTable>,
  since: Date,
): Promise<Sum[]> {
  if (parts.length === 0) return []
  const looks = parts.map((part, place) => {
    const table = tables.get(part.table) ?? { name: part.table, key: [] }
    const recent = sql`${sql.ref(recentColumns[part.table] ?? 'id')} >= uuid_at(${since}::timestamptz)`
    const where = { all: sql`true`, recent, open: openRows[part.table] ?? sql`true` }[part.where]
    const newest = table.key.length > 0 ? sql`order by ${order(table, sql`desc`)}` : sql``
    return sql`select ${place}::int as place, ${sum} from (
      select * from ${sql.table(part.table)} where environment_id = ${environmentId} and ${where} ${newest} limit ${mostHot}) t`
  })
  const { rows } = await sql<Sum & { place: number }>`${sql.join(looks, sql` union all `)} order by place`.execute(db)
  return rows.map(({ rows, hash }) => ({ rows, hash }))
}

const sum = sql`count(*)::float8 as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as hash`

/** Texts in the order of their bytes: servers may have other ideas of an alphabet. */
function collated({ isText }: MovedTable['key'][number]): RawBuilder<unknown> {
  return isText ? sql` collate "C"` : sql``
}

function keyOf({ key }: MovedTable): RawBuilder<unknown> {
  return sql`(${sql.join(key.map((column) => sql`${sql.ref(column.name)}${collated(column)}`))})`
}

function bound({ key }: MovedTable, values: readonly string[]): RawBuilder<unknown> {
  return sql`(${sql.join(key.map((column, n) => sql`${values[n]}::text::${sql.raw(column.type)}`))})`
}

function order({ key }: MovedTable, direction: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql`${sql.ref(column.name)}${collated(column)} ${direction}`))
}

/** The keys of a range, as text: for finding which rows one cell has and the other has not. */
export async function listKeys(db: Db, environmentId: string, table: MovedTable, range: Range): Promise<string[]> {
  const { after, upTo } = range
  const names = table.key.map((column) => sql`${sql.ref(column.name)}::text`)
  const { rows } = await sql<{ key: string }>`
    select ${names.length > 0 ? sql`array[${sql.join(names)}]::text` : sql`''`} as key from ${sql.table(table.name)}
    where environment_id = ${environmentId}
      ${after ? sql`and ${keyOf(table)} > ${bound(table, after)}` : sql``}
      ${upTo ? sql`and ${keyOf(table)} <= ${bound(table, upTo)}` : sql``}`.execute(db)
  return rows.map((row) => row.key)
}

/** The planner's statistics, also of a table in parts, which nobody else keeps. */
export async function analyze(db: Db, table: string): Promise<void> {
  await sql`analyze ${sql.table(table)}`.execute(db)
}
