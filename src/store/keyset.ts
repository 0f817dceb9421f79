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
  /** For a filter without an index: look at this many rows per request; the next page goes on from there. */
  scanLimit?: number | undefined
}

type Placed = { place_id: string; place_value: string | null }
type Found<Row> = { rows: (Row & Placed)[]; continuesAt: Place | null }

/** Spec 2.14: counted up to here. */
export const countCap = 50_000

/**
 * One page of a list ordered by (column, id). A row that keeps its position is never skipped or repeated, whatever is
 * inserted or deleted around it. Null: the place is not in this list.
 */
export async function keysetPage<Row>(source: KeysetSource, request: PageRequest): Promise<Page<Row> | null> {
  const backwards = request.from?.side === 'before'
  const start = request.from ? await completePlace(source, request) : undefined
  if (start === null) return null
  const found = await walk<Row>(source, request, { backwards, start })
  // When the first page is the whole list, nothing needs to be counted.
  const isWhole = !start && !found.continuesAt
  const count = isWhole ? { totalCount: found.rows.length, totalCountCapped: false } : await countRows(source)
  const behind = start ? await findPlaceBehind(source, request, start, found.rows[0]) : null
  const rows = backwards ? found.rows.reverse() : found.rows
  return {
    rows,
    next: backwards ? behind : found.continuesAt,
    previous: backwards ? found.continuesAt : behind,
    ...count,
  }
}

type Walk = { backwards: boolean; start: Place | undefined }

async function walk<Row>(source: KeysetSource, request: PageRequest, way: Walk): Promise<Found<Row>> {
  const { limit } = request
  const { db, filter = sql`true`, scanLimit } = source
  const ordered = orderedRows(source, request, way)
  if (scanLimit === undefined) {
    const { rows } = await ordered<Row>(filter, limit + 1).execute(db)
    return cut(rows, limit)
  }
  // The same statement tells where the scan ended: a second one might see other rows.
  const { rows } = await sql<Row & Placed & { hit: boolean | null; is_last: boolean }>`
    select * from (
      select scanned.*, row_number() over () = ${scanLimit} as is_last
      from (${ordered(sql`true`, scanLimit, sql`, (${filter}) as hit`)}) scanned) numbered
    where hit or is_last limit ${limit + 1}`.execute(db)
  const hits = rows.filter((row) => row.hit)
  const page = cut<Row>(hits, limit)
  const last = rows.find((row) => row.is_last)
  return page.continuesAt || !last ? page : { ...page, continuesAt: toPlace(last) }
}

/** Rows from `start` on, in the direction of the page. */
function orderedRows(source: KeysetSource, request: PageRequest, { backwards, start }: Walk) {
  const column = source.columns[request.orderBy]
  const ascending = (request.direction === 'ASC') !== backwards
  const way = ascending ? sql`asc` : sql`desc`
  const order = column ? sql`${column.expression} ${way}, ${source.id} ${way}` : sql`${source.id} ${way}`
  const value = column ? sql`(${column.expression})::text` : sql`null::text`
  const bound = start ? keysetBound(source, request, start, ascending) : sql`true`
  return <Row>(filter: RawBuilder<unknown>, limit: number, extra = sql``) => sql<Row & Placed>`
    select ${source.select}, ${source.id} as place_id, ${value} as place_value ${extra}
    from ${source.from} where ${source.scope} and ${bound} and ${filter} order by ${order} limit ${limit}`
}

function keysetBound(source: KeysetSource, request: PageRequest, place: Place, ascending: boolean) {
  const column = source.columns[request.orderBy]
  const operator = sql.raw((ascending ? '>' : '<') + (place.inclusive ? '=' : ''))
  if (!column) return sql`${source.id} ${operator} ${place.id}::uuid`
  return sql`(${column.expression}, ${source.id}) ${operator} (${place.value}::${sql.raw(column.type)}, ${place.id}::uuid)`
}

/** Asks whether there are rows on the side we came from: they may have been deleted. */
async function findPlaceBehind(source: KeysetSource, request: PageRequest, start: Place, first: Placed | undefined) {
  const place = first ? toPlace(first) : { ...start, inclusive: !start.inclusive }
  const backwards = request.from?.side !== 'before'
  return (await hasRows(source, request, { backwards, start: place })) ? place : null
}

async function hasRows(source: KeysetSource, request: PageRequest, way: Walk): Promise<boolean> {
  const found = await walk(source, { ...request, limit: 1 }, way)
  return found.rows.length > 0 || found.continuesAt !== null
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
  const { rows } = await sql<{ hits: string; seen: string }>`
    select count(*) filter (where hit) as hits, count(*) as seen from (${countedRows(source)}) looked_at`.execute(
    source.db,
  )
  const [hits, seen] = [Number(rows[0]?.hits ?? 0), Number(rows[0]?.seen ?? 0)]
  return { totalCount: Math.min(hits, countCap), totalCountCapped: seen > (source.scanLimit ?? countCap) }
}

function countedRows({ from, scope, id, filter, scanLimit }: KeysetSource) {
  // Ordered, so that PostgreSQL counts by the index even when one environment fills most of the table.
  const all = sql`from ${from} where ${scope} order by ${id}`
  if (!filter) return sql`select true as hit ${all} limit ${sql.lit(countCap + 1)}`
  // Without an index only the first rows are looked at; `totalCountCapped` then says that the count is a lower bound.
  if (scanLimit !== undefined) return sql`select (${filter}) as hit ${all} limit ${sql.lit(scanLimit + 1)}`
  return sql`select true as hit from ${from} where ${scope} and ${filter} limit ${sql.lit(countCap + 1)}`
}

function cut<Row>(rows: (Row & Placed)[], limit: number): Found<Row> {
  const page = rows.slice(0, limit)
  const end = page.at(-1)
  return { rows: page, continuesAt: rows.length > limit && end ? toPlace(end) : null }
}

function toPlace(row: Placed): Place {
  return { value: row.place_value, id: row.place_id, inclusive: false }
}
