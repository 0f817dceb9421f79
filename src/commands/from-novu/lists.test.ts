import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type Item, ListRefusal, listAll, listPages, listSteady } from './lists.ts'
import { createRoundFinder } from './rounds.ts'
import { openSource, type Source } from './source.ts'

const clear: (() => unknown)[] = []
afterEach(() => {
  for (const it of clear.splice(0)) it()
})

/** A service that answers this to each call. */
async function serve(answer: (query: URLSearchParams, call: number) => unknown): Promise<Source & { calls(): number }> {
  let calls = 0
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams
    response.writeHead(200).end(JSON.stringify(answer(query, ++calls)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  clear.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${Object(server.address()).port}`
  return { ...openSource({ url, key: 'k', lanes: 8, stop: new AbortController().signal }), calls: () => calls }
}

async function idsOf(pages: AsyncIterable<{ items: Item[] }>): Promise<unknown[]> {
  const ids: unknown[] = []
  for await (const { items } of pages) ids.push(...items.map(({ _id }) => _id))
  return ids
}

const things = (count: number) => Array.from({ length: count }, (_, n) => ({ _id: `t${n}` }))
const byNumber = (list: Item[], query: URLSearchParams) => {
  const page = Number(query.get('page') ?? 0)
  return { data: list.slice(page * 100, (page + 1) * 100), hasMore: list.length > (page + 1) * 100 }
}

describe('a list that has no end is a fault, and no end', () => {
  const one = [{ _id: 'a' }]
  const cursorOf = (query: URLSearchParams) => Number(query.get('after') ?? 0)
  test.each<[string, (query: URLSearchParams, call: number) => unknown, number]>([
    ['more of the same page', () => ({ data: one, hasMore: true }), 5],
    ['more of the same by offsets', () => ({ workflows: one, totalCount: 1e9 }), 5],
    ['the same things without ids', () => ({ data: [{ identifier: 'a' }], hasMore: true }), 5],
    ['a cursor that stays', (_query, call) => ({ data: [{ _id: `t${call}` }], next: 'again' }), 5],
    ['a circle of 1,500 cursors', (query) => ({ data: one, next: `${(cursorOf(query) + 1) % 1_500}` }), 5],
    [
      'a circle of 1,500 pages under new cursors',
      (_query, call) => ({ data: [{ _id: `t${call % 1_500}` }], next: `c${call}` }),
      5_000,
    ],
    ['a circle of three pages by numbers', (_query, call) => ({ data: [{ _id: `t${call % 3}` }], hasMore: true }), 10],
    ['empty pages under new cursors', (_query, call) => ({ data: [], next: `c${call}` }), 1_010],
  ])('%s', async (_what, answer, mostCalls) => {
    const source = await serve(answer)
    await expect(idsOf(listSteady(source, '/v2/things'))).rejects.toThrow(ListRefusal)
    expect(source.calls()).toBeLessThan(mostCalls)
  })

  test('a circle of any length and any way to it is found', () => {
    for (const [way, length] of [
      [0, 1],
      [5, 3],
      [1_000, 1_500],
      [2, 4_096],
    ] as const) {
      const isKnown = createRoundFinder()
      let steps = 0
      while (!isKnown(`${steps < way ? -steps : way + ((steps - way) % length)}`)) steps += 1
      expect(steps).toBeLessThan(4 * (way + length) + 4)
    }
  })
})

test('what is deleted between two pages by numbers costs no other', async () => {
  const list: Item[] = things(250)
  const source = await serve((query, call) => {
    if (call === 2) list.shift()
    return byNumber(list, query)
  })
  const ids = await idsOf(listSteady(source, '/v1/tenants'))
  expect(ids.toSorted()).toEqual(
    things(250)
      .map(({ _id }) => _id)
      .toSorted(),
  )
})

test('what comes before the others between two pages comes once, and costs no other', async () => {
  const list: Item[] = things(250)
  const source = await serve((query, call) => {
    if (call === 2) list.unshift({ _id: 'new' })
    return byNumber(list, query)
  })
  const ids = await idsOf(listSteady(source, '/v1/tenants'))
  expect(ids.toSorted()).toEqual(['new', ...things(250).map(({ _id }) => _id)].toSorted())
})

test('a list by cursors is read once', async () => {
  const source = await serve((query) => {
    const from = Number(query.get('after') ?? 0)
    return { data: things(250).slice(from, from + 100), next: from < 200 ? `${from + 100}` : null }
  })
  expect(await idsOf(listSteady(source, '/v2/things'))).toHaveLength(250)
  expect(source.calls()).toBe(3)
})

test('a list that comes whole may be long', async () => {
  const source = await serve(() => things(200_000))
  expect(await listAll(source, '/v2/things', ({ _id }) => String(_id))).toHaveLength(200_000)
})

test('a list that is refused later on can be gone on with; at its beginning it is refused', async () => {
  const source = await serve((_query, call) => (call < 3 ? { data: [{ _id: `t${call}` }], next: `${call}` } : {}))
  await expect(idsOf(listPages(source, '/v2/things'))).rejects.not.toThrow(ListRefusal)
  await expect(idsOf(listPages(source, '/v2/things'))).rejects.toThrow(ListRefusal)
})
