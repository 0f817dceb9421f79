import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { rounds } from '../../test/rounds.ts'
import { type KeysetSource, keysetPage, type Page, type PageRequest, type Place } from './keyset.ts'

/**
 * The list against its model: a sorted array. Rows have few labels and times, so that ties are common; ids decide ties.
 * A row of a list is `wanted` when the filter lets it through.
 */
type Row = { id: string; label: string | null; at: Date; wanted: boolean }
type Order = Pick<PageRequest, 'orderBy' | 'direction'>
type Lens = { filtered: boolean; unindexed: boolean }

const h = useHarness()
beforeAll(async () => {
  await sql`create table model_row (list int, id uuid, label text collate "C", at timestamptz(3), wanted boolean,
    primary key (list, id))`.execute(h.admin)
})

const rowArbitrary: fc.Arbitrary<Row> = fc.record({
  id: fc.nat(0xffff).map(idOf),
  label: fc.constantFrom(null, '', 'a', 'B', 'b', 'ä', 'Z%', '日本', '😀'),
  at: fc.constantFrom(0, 1, 1_000).map((ms) => new Date(1_700_000_000_000 + ms)),
  wanted: fc.boolean(),
})
const orderArbitrary: fc.Arbitrary<Order> = fc.record({
  orderBy: fc.constantFrom('_id', 'createdAt', 'label', 'at'),
  direction: fc.constantFrom('ASC', 'DESC'),
})
const lensArbitrary: fc.Arbitrary<Lens> = fc.record({
  filtered: fc.boolean(),
  unindexed: fc.boolean(),
})
const limitArbitrary = fc.integer({ min: 1, max: 5 })
const rowsArbitrary = fc.uniqueArray(rowArbitrary, { maxLength: 10, selector: (row) => row.id })

/** What happens to the list between two pages. */
type Change = { insert: Row } | { deleteNth: number }
const changeArbitrary: fc.Arbitrary<Change> = fc.oneof(
  rowArbitrary.map((insert) => ({ insert })),
  fc.nat(20).map((deleteNth) => ({ deleteNth })),
)

const stepArbitrary = fc.record({
  changes: fc.array(changeArbitrary, { maxLength: 2 }),
  limit: limitArbitrary,
  go: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('next' as const, 'previous' as const) },
    { weight: 1, arbitrary: fc.constant('beginning' as const) },
    {
      weight: 2,
      arbitrary: fc.record({ toNth: fc.nat(20), side: fc.constantFrom('after' as const, 'before' as const) }),
    },
  ),
  includeCursor: fc.boolean(),
})
type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never

describe('keysetPage', () => {
  test('every page, from wherever and in either direction, is the one a sorted list would give', async () => {
    const scenario = fc.tuple(rowsArbitrary, orderArbitrary, lensArbitrary, fc.array(stepArbitrary, { maxLength: 12 }))
    await fc.assert(
      fc.asyncProperty(scenario, async ([rows, order, lens, steps]) => {
        const list = await newList(rows)
        let page: Page<Row> | null = null
        for (const step of steps) {
          for (const change of step.changes) await list.apply(change)
          const from = stepFrom(step, page, list)
          const request = { ...order, limit: step.limit, ...(from && { from }) }
          page = await list.page(lens, request)
          const { next, previous, totalCount } = page
          const seen = { ids: idsOf(page), hasNext: next !== null, hasPrevious: previous !== null }
          expect(seen).toEqual(expectedPage(list, lens, request))
          const count = list.rows.filter((row) => row.wanted || !lens.filtered).length
          expect(totalCount).toBe(count)
        }
      }),
      { numRuns: rounds({ quick: 60, full: 250 }) },
    )
  })

  test('a row that exists throughout a walk is seen exactly once, in order, there and back again', async () => {
    const script = fc.array(fc.array(changeArbitrary, { maxLength: 2 }), { maxLength: 8 })
    const scenario = fc.tuple(rowsArbitrary, orderArbitrary, lensArbitrary, limitArbitrary, script, script)
    await fc.assert(
      fc.asyncProperty(scenario, async ([rows, order, lens, limit, onTheWay, onTheWayBack]) => {
        const list = await newList(rows)
        await expectWholeWalk(list, lens, { ...order, limit }, onTheWay)
        const last = list.rows.toSorted(comparator(order)).at(-1)
        if (!last) return
        const from = { side: 'before' as const, place: { id: last.id, inclusive: true } }
        await expectWholeWalk(list, lens, { ...order, limit, from }, onTheWayBack)
      }),
      { numRuns: rounds({ quick: 40, full: 150 }) },
    )
  })

  test('rows written at the very moment of the reading make a walk neither skip nor repeat', async () => {
    const at = new Date(1_700_000_000_000)
    const row = (n: number, wanted: boolean) => ({ id: idOf(n), label: 'x', at, wanted })
    const stable = Array.from({ length: 120 }, (_, i) => row(i * 10, true))
    const list = await newList(stable)
    let walking = true
    const disturb = async (offset: number) => {
      for (let n = offset; walking; n = (n + 370) % 1200) {
        await list.insert(row(n, false))
        await list.remove(idOf(n))
      }
    }
    const disturbers = [1, 2, 3].map(disturb)
    const seen: string[] = []
    const lens = { filtered: true, unindexed: true }
    let page = await list.page(lens, { orderBy: '_id', direction: 'ASC', limit: 5 })
    for (seen.push(...idsOf(page)); page.next; seen.push(...idsOf(page))) {
      const from = { side: 'after' as const, place: page.next }
      page = await list.page(lens, { orderBy: '_id', direction: 'ASC', limit: 5, from })
    }
    walking = false
    await Promise.all(disturbers)
    expect(seen).toEqual(stable.map(({ id }) => id))
  })

  test('totals: the filter counts, the cursor does not', async () => {
    const at = new Date()
    const list = await newList(Array.from({ length: 7 }, (_, n) => ({ id: idOf(n), label: null, at, wanted: n < 4 })))
    const request = { orderBy: '_id', direction: 'ASC' as const, limit: 2 }
    const from = { side: 'after' as const, place: { id: idOf(5), inclusive: false } }
    const totals = async (lens: Lens, given: PageRequest = request) => {
      const { totalCount, totalCountCapped } = await list.page(lens, given)
      return [totalCount, totalCountCapped]
    }
    expect(await totals({ filtered: false, unindexed: false })).toEqual([7, false])
    expect(await totals({ filtered: true, unindexed: false })).toEqual([4, false])
    expect(await totals({ filtered: true, unindexed: false }, { ...request, from })).toEqual([4, false])
    expect(await totals({ filtered: true, unindexed: true })).toEqual([4, false])
    expect(await totals({ filtered: true, unindexed: true }, { ...request, from })).toEqual([4, false])
  })

  test('50,000 rows are counted, one more is not', async () => {
    const list = await newList([])
    const fill = (from: number, to: number) =>
      sql`
      insert into model_row select ${lists}, ('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, null, now(), true
      from generate_series(${from}::int, ${to}::int) n`.execute(h.admin)
    const request = { orderBy: '_id', direction: 'ASC' as const, limit: 1 }
    const lens = { filtered: true, unindexed: false }
    await fill(1, 50_000)
    expect(await list.page(lens, request)).toMatchObject({ totalCount: 50_000, totalCountCapped: false })
    await fill(50_001, 50_002)
    expect(await list.page(lens, request)).toMatchObject({ totalCount: 50_000, totalCountCapped: true })
  })

  test('a place of another list, or of nobody, is no place here', async () => {
    const [mine, other] = [await newList([]), await newList([])]
    await other.apply({ insert: { id: idOf(1), label: null, at: new Date(), wanted: true } })
    const request = { orderBy: '_id', direction: 'ASC' as const, limit: 2 }
    for (const id of [idOf(1), idOf(2)]) {
      const from = { side: 'after' as const, place: { id, inclusive: true } }
      expect(await keysetPage(mine.source({ filtered: false, unindexed: false }), { ...request, from })).toBeNull()
    }
  })
})

type List = Awaited<ReturnType<typeof newList>>

let lists = 0
async function newList(initial: readonly Row[]) {
  const number = ++lists
  const rows: Row[] = []
  /** Also deleted ones: a cursor may be older than the deletion of its row. */
  const everMade = new Map<string, Row>()
  const insert = async (row: Row) => {
    rows.push(row)
    everMade.set(row.id, row)
    const values = sql`${number}, ${row.id}, ${row.label}, ${row.at}, ${row.wanted}`
    await sql`insert into model_row values (${values})`.execute(h.admin)
  }
  const remove = async (id: string) => {
    rows.splice(
      rows.findIndex((row) => row.id === id),
      1,
    )
    await sql`delete from model_row where list = ${number} and id = ${id}`.execute(h.admin)
  }
  const apply = async (change: Change) => {
    if ('insert' in change) return everMade.has(change.insert.id) ? undefined : insert(change.insert)
    const row = nth(rows, change.deleteNth)
    if (row) await remove(row.id)
  }
  for (const row of initial) await insert(row)

  const source = ({ filtered, unindexed }: Lens): KeysetSource => ({
    db: h.admin,
    select: sql`m.id, m.label, m.at, m.wanted`,
    from: sql`model_row m`,
    scope: sql`m.list = ${number}`,
    filter: filtered ? sql`m.wanted` : undefined,
    id: sql`m.id`,
    columns: {
      label: { expression: sql`coalesce(m.label, '')`, type: 'text' },
      at: { expression: sql`m.at`, type: 'timestamptz' },
    },
    unindexed,
  })
  const page = async (lens: Lens, request: PageRequest): Promise<Page<Row>> => {
    const found = await keysetPage<Row>(source(lens), request)
    if (!found) throw new Error('no such place')
    return found
  }
  return { rows, everMade, insert, remove, apply, source, page }
}

function idOf(n: number): string {
  return `01890000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

function idsOf({ rows }: { rows: Row[] }): string[] {
  return rows.map((row) => row.id)
}

function nth<T>(items: readonly T[], n: number): T | undefined {
  return items[n % Math.max(items.length, 1)]
}

function stepFrom({ go, includeCursor }: Step, page: Page<Row> | null, list: List): PageRequest['from'] {
  if (typeof go === 'object') {
    const row = nth(list.rows, go.toNth)
    return row && { side: go.side, place: { id: row.id, inclusive: includeCursor } }
  }
  const place = go === 'next' ? page?.next : go === 'previous' ? page?.previous : null
  const side = go === 'next' ? 'after' : 'before'
  return place ? { side, place: { ...place, inclusive: includeCursor || place.inclusive } } : undefined
}

/** The order of the list: by bytes, then by id. */
function comparator({ orderBy, direction }: Order) {
  const sign = direction === 'ASC' ? 1 : -1
  const byValue = (a: Row, b: Row) => {
    if (orderBy === 'label') return Buffer.compare(Buffer.from(a.label ?? ''), Buffer.from(b.label ?? ''))
    return orderBy === 'at' ? a.at.getTime() - b.at.getTime() : 0
  }
  return (a: Row, b: Row) => sign * (byValue(a, b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

type Way = { backwards: boolean; limit: number; start: { id: string; inclusive: boolean } | undefined }

function look(list: List, { filtered }: Lens, order: Order, { backwards, limit, start }: Way) {
  const compare = comparator(order)
  const walking = (a: Row, b: Row) => (backwards ? compare(b, a) : compare(a, b))
  const startRow = start && list.everMade.get(start.id)
  const isBeyond = (row: Row) => !startRow || walking(row, startRow) > 0 || (start.inclusive && row.id === start.id)
  const beyond = list.rows.toSorted(walking).filter(isBeyond)
  const hits = beyond.filter((row) => row.wanted || !filtered)
  return { rows: hits.slice(0, limit), more: hits.length > limit }
}

function expectedPage(list: List, lens: Lens, { limit, from, ...order }: PageRequest) {
  const backwards = from?.side === 'before'
  const found = look(list, lens, order, { backwards, limit, start: from?.place })
  const [first] = found.rows
  const turn =
    from && (first ? { id: first.id, inclusive: false } : { ...from.place, inclusive: !from.place.inclusive })
  const back = turn && look(list, lens, order, { backwards: !backwards, limit: 1, start: turn })
  const behind = back !== undefined && (back.more || back.rows.length > 0)
  const ids = idsOf(found)
  return {
    ids: backwards ? ids.reverse() : ids,
    hasNext: backwards ? behind : found.more,
    hasPrevious: backwards ? found.more : behind,
  }
}

/** To the end, while the list changes between the pages. */
async function expectWholeWalk(list: List, lens: Lens, request: PageRequest, script: Change[][]): Promise<void> {
  const backwards = request.from?.side === 'before'
  const compare = comparator(request)
  const walking = (a: Row, b: Row) => (backwards ? compare(b, a) : compare(a, b))
  let throughout = list.rows.filter((row) => row.wanted || !lens.filtered).toSorted(walking)
  const seen: Row[] = []
  let place: Place | null = null
  const changes = script.values()
  do {
    const from: PageRequest['from'] = place ? { side: backwards ? 'before' : 'after', place } : request.from
    const page: Page<Row> = await list.page(lens, { ...request, ...(from && { from }) })
    seen.push(...(backwards ? page.rows.toReversed() : page.rows))
    place = backwards ? page.previous : page.next
    if (place) for (const change of changes.next().value ?? []) await list.apply(change)
    throughout = throughout.filter((row) => list.rows.includes(row))
  } while (place)
  const ids = idsOf({ rows: seen })
  expect(idsOf({ rows: seen.toSorted(walking) })).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => throughout.some((row) => row.id === id))).toEqual(idsOf({ rows: throughout }))
}
