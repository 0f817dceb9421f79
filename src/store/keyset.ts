import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** A position in a list: the order column's value (null when the order is by id) and the id. */
export type Place = { value: string | null; id: string; inclusive: boolean }

export type PageRequest = {
  limit: number
  orderBy: string
  direction: 'ASC' | 'DESC'
  /** Absent: from the beginning. When only the id is given, the order column's value is looked up. */
  from?: { side: 'after' | 'before'; place: Place | { id: string; inclusive: boolean } }
}

export type Page<Row> = {
  rows: Row[]
  next: Place | null
  previous: Place | null
  totalCount: number
  totalCountCapped: boolean
}

export type KeysetSource = {
  db: Db
  select: RawBuilder<unknown>
  from: RawBuilder<unknown>
  /** Whose rows: the environment, and a parent where there is one. */
  scope: RawBuilder<unknown>
  /** What the caller asked for. */
  filter?: RawBuilder<unknown> | undefined
  id: RawBuilder<unknown>
  /** orderBy values besides `_id` and `createdAt`. Those two give the same order: an id holds its time. */
  columns: Record<string, { expression: RawBuilder<unknown>; type: 'text' | 'timestamptz' }>
  /** How large a row is, where rows may be large: a page ends early when it has enough. */
  bytes?: RawBuilder<unknown>
  /** No index serves the filter: its matches are counted first, which tells how to find the page. */
  unindexed?: boolean | undefined
}

/** `found`: how many rows there were before the page was cut to its bytes. */
type Placed = { place_id: string; place_value: string | null; found?: number }
type Found<Row> = { rows: (Row & Placed)[]; continuesAt: Place | null }

/** Spec 2.14: counted up to here. */
export const countCap = 50_000

// Of one page, more than a hundred of the largest subscribers have. Where it ends, its cursor goes on.
const mostBytes = 16 * 1024 * 1024

// Fewer matches than this are found by reading all rows in the order of the table, and sorted then. In the order of the
// list, row by row, until there are enough, is quick only where matches are many.
const fewMatches = 1_000

/**
 * One page of a list ordered by (column, id). A row that keeps its position is never skipped or repeated, whatever is
 * inserted or deleted around it. Null: the place is not in this list.
 */
export async function keysetPage<Row>(source: KeysetSource, request: PageRequest): Promise<Page<Row> | null> {
  const backwards = request.from?.side === 'before'
  const start = request.from ? await completePlace(source, request) : undefined
  if (start === null) return null
  const counted = source.unindexed ? await countRows(source) : null
  if (counted?.totalCount === 0) return { rows: [], next: null, previous: null, ...counted }
  const way = { backwards, start, sorted: counted !== null && counted.totalCount < fewMatches }
  const found = await walk<Row>(source, request, way)
  // When the first page is the whole list, nothing needs to be counted.
  const isWhole = !start && !found.continuesAt
  const whole = { totalCount: found.rows.length, totalCountCapped: false }
  const count = isWhole ? whole : (counted ?? (await countRows(source)))
  const behind = start ? await findPlaceBehind(source, request, { ...way, start }, found.rows[0]) : null
  const rows = backwards ? found.rows.reverse() : found.rows
  return {
    rows,
    next: backwards ? behind : found.continuesAt,
    previous: backwards ? found.continuesAt : behind,
    ...count,
  }
}

/** `sorted`: find all matches, then sort them. */
type Walk = { backwards: boolean; start: Place | undefined; sorted: boolean }

async function walk<Row>(source: KeysetSource, request: PageRequest, way: Walk): Promise<Found<Row>> {
  const ordered = orderedRows<Row>(source, request, way)
  const { rows } = await (source.bytes ? untilEnough(ordered) : ordered).execute(source.db)
  return cut(rows, request.limit)
}

/** Rows from `start` on, in the direction of the page, one more than asked for. */
function orderedRows<Row>(source: KeysetSource, request: PageRequest, { backwards, start, sorted }: Walk) {
  const { select, from, scope, id, filter = sql`true`, bytes = sql`0` } = source
  const column = source.columns[request.orderBy]
  const ascending = (request.direction === 'ASC') !== backwards
  const way = ascending ? sql`asc` : sql`desc`
  const value = column ? sql`(${column.expression})::text` : sql`null::text`
  const bound = start ? keysetBound(source, request, start, ascending) : sql`true`
  const place = sql`${id} as place_id, ${value} as place_value, ${bytes} as place_bytes`
  const where = sql`from ${from} where ${scope} and ${bound} and ${filter}`
  const limit = request.limit + 1
  if (!sorted) {
    const order = column ? sql`${column.expression} ${way}, ${id} ${way}` : sql`${id} ${way}`
    return sql<Row & Placed>`select ${select}, ${place} ${where} order by ${order} limit ${limit}`
  }
  // `offset 0` keeps PostgreSQL from walking the index of the order, which it thinks quick because of the limit.
  return sql<Row & Placed>`
    select * from (select ${select}, ${place}, ${column?.expression ?? id} as place_order ${where} offset 0) found
    order by place_order ${way}, place_id ${way} limit ${limit}`
}

/** The rows until they have enough bytes, at least one. */
function untilEnough<Row>(ordered: RawBuilder<Row & Placed>): RawBuilder<Row & Placed> {
  return sql`
    select * from (
      select ordered.*, count(*) over ()::int as found, sum(place_bytes) over (rows unbounded preceding) as bytes_so_far
      from (${ordered}) ordered) page
    where bytes_so_far - place_bytes < ${sql.lit(mostBytes)}`
}

function keysetBound(source: KeysetSource, request: PageRequest, place: Place, ascending: boolean) {
  const column = source.columns[request.orderBy]
  const operator = sql.raw((ascending ? '>' : '<') + (place.inclusive ? '=' : ''))
  if (!column) return sql`${source.id} ${operator} ${place.id}::uuid`
  return sql`(${column.expression}, ${source.id}) ${operator} (${place.value}::${sql.raw(column.type)}, ${place.id}::uuid)`
}

/** Asks whether there are rows on the side we came from: they may have been deleted. */
async function findPlaceBehind(
  source: KeysetSource,
  request: PageRequest,
  { backwards, start, sorted }: Walk & { start: Place },
  first: Placed | undefined,
) {
  const place = first ? toPlace(first) : { ...start, inclusive: !start.inclusive }
  const found = await walk(source, { ...request, limit: 1 }, { backwards: !backwards, start: place, sorted })
  return found.rows.length > 0 ? place : null
}

async function completePlace(source: KeysetSource, request: PageRequest): Promise<Place | null> {
  const place = request.from?.place
  if (!place || 'value' in place) return place ?? null
  const column = source.columns[request.orderBy]
  const { rows } = await sql<{ value: string | null }>`
    select ${column ? sql`(${column.expression})::text` : sql`null::text`} as value
    from ${source.from} where ${source.scope} and ${source.id} = ${place.id}::uuid`.execute(source.db)
  return rows[0] ? { ...place, value: rows[0].value } : null
}

async function countRows(source: KeysetSource) {
  const { rows } = await sql<{ n: string }>`select count(*) as n from (${countedRows(source)}) counted`.execute(
    source.db,
  )
  const n = Number(rows[0]?.n ?? 0)
  return { totalCount: Math.min(n, countCap), totalCountCapped: n > countCap }
}

function countedRows({ from, scope, id, filter }: KeysetSource) {
  const limit = sql`limit ${sql.lit(countCap + 1)}`
  if (filter) return sql`select from ${from} where ${scope} and ${filter} ${limit}`
  // Ordered, so that PostgreSQL counts by the index even when one environment fills most of the table.
  return sql`select from ${from} where ${scope} order by ${id} ${limit}`
}

function cut<Row>(rows: (Row & Placed)[], limit: number): Found<Row> {
  const page = rows.slice(0, limit)
  const end = page.at(-1)
  const isCut = (end?.found ?? rows.length) > page.length
  return { rows: page, continuesAt: isCut && end ? toPlace(end) : null }
}

function toPlace(row: Placed): Place {
  return { value: row.place_value, id: row.place_id, inclusive: false }
}
