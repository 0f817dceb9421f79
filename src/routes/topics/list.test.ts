import { afterEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v2/topics'
afterEach(() => {
  h.ctx.clock = () => new Date()
})

const topics = [
  { key: 'news', name: 'News' },
  { key: 'NEWS', name: 'news' },
  { key: 'team:1:news', name: 'Sport_100%' },
  { key: 'team_1-x', name: 'back\\slash' },
  { key: 'ada@example.com', name: 'Jürgen 日本 😀' },
  { key: 'b', name: '' },
  { key: 'a' },
]

async function arrange(): Promise<Client> {
  const env = await h.environment()
  for (const topic of topics) await env.post(path, topic)
  return env
}

type Filter = Record<string, string>

async function list(env: Client, filter: Filter): Promise<string[]> {
  const { status, body } = await env.get(`${path}?${new URLSearchParams(filter)}`)
  expect(status, JSON.stringify(filter)).toBe(200)
  expect(body.totalCount).toBe(body.data.length)
  expect(body.totalCountCapped).toBe(false)
  return body.data.map((item: Json) => item.key).sort()
}

describe('GET /v2/topics', () => {
  test('shows topics as GET of one does, newest first', async () => {
    const env = await arrange()
    const { body } = await env.get(path)
    expect(body.data.map((item: Json) => item.key)).toEqual(topics.map((topic) => topic.key).reverse())
    for (const item of body.data) {
      expect(item).toEqual((await env.get(`${path}/${encodeURIComponent(item.key)}`)).body)
    }
    expect(body).toMatchObject({ next: null, previous: null, totalCount: 7, totalCountCapped: false })
    const nothing = { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false }
    expect((await (await h.environment()).get(path)).body).toEqual(nothing)
  })

  test('key and name are case-sensitive substrings, taken literally, and AND together', async () => {
    const env = await arrange()
    const cases: [Filter, string[]][] = [
      [{ key: 'news' }, ['news', 'team:1:news']],
      [{ key: 'NEW' }, ['NEWS']],
      [{ key: 'New' }, []],
      [{ key: 'team:1:news' }, ['team:1:news']],
      [{ key: ':' }, ['team:1:news']],
      [{ key: '_' }, ['team_1-x']],
      [{ key: 'team_1' }, ['team_1-x']],
      [{ key: '%' }, []],
      [{ key: 'a' }, ['a', 'ada@example.com', 'team:1:news', 'team_1-x']],
      [{ key: '@example.com' }, ['ada@example.com']],
      [{ key: '' }, topics.map((topic) => topic.key).sort()],
      [{ name: 'News' }, ['news']],
      [{ name: 'news' }, ['NEWS']],
      [{ name: '%' }, ['team:1:news']],
      [{ name: '_' }, ['team:1:news']],
      [{ name: '\\' }, ['team_1-x']],
      [{ name: 't_1' }, ['team:1:news']],
      [{ name: 'r__100' }, []],
      [{ name: 'ü' }, ['ada@example.com']],
      [{ name: '日本' }, ['ada@example.com']],
      [{ name: '😀' }, ['ada@example.com']],
      [{ key: 'news', name: 'Sport' }, ['team:1:news']],
      [{ key: 'news', name: 'news' }, []],
    ]
    for (const [filter, keys] of cases) expect(await list(env, filter), JSON.stringify(filter)).toEqual(keys)
  })

  test('every orderBy in both directions; a topic without a name stands with the empty names', async () => {
    const env = await arrange()
    h.ctx.clock = () => new Date(Date.now() + 60_000)
    await env.patch(`${path}/NEWS`, { name: 'newest' })
    const made = topics.map((topic) => topic.key)
    const expected: Record<string, string[]> = {
      _id: made,
      createdAt: made,
      updatedAt: [...made.filter((key) => key !== 'NEWS'), 'NEWS'],
      key: ['NEWS', 'a', 'ada@example.com', 'b', 'news', 'team:1:news', 'team_1-x'],
      name: ['b', 'a', 'ada@example.com', 'news', 'team:1:news', 'team_1-x', 'NEWS'],
    }
    for (const [orderBy, ascending] of Object.entries(expected)) {
      const ask = async (direction: string) => {
        const { body } = await env.get(`${path}?orderBy=${orderBy}${direction}`)
        return body.data.map((item: Json) => item.key)
      }
      expect(await ask('&orderDirection=ASC'), orderBy).toEqual(ascending)
      expect(await ask('&orderDirection=DESC'), orderBy).toEqual(ascending.toReversed())
      expect(await ask(''), orderBy).toEqual(ascending.toReversed())
    }
    for (const orderBy of ['id', 'KEY', 'subscriberId', 'deletedAt', '__proto__']) {
      expect((await env.get(`${path}?orderBy=${orderBy}`)).status, orderBy).toBe(422)
    }
    expect((await env.get(`${path}?orderDirection=asc`)).status).toBe(422)
  })

  test('limit: 1 to 100, default 10, else 422', async () => {
    const env = await h.environment()
    const keys = Array.from({ length: 101 }, (_, n) => `t${n}`)
    await Promise.all(keys.map((key) => env.post(path, { key })))
    for (const [query, length] of Object.entries({ '': 10, 'limit=1': 1, 'limit=100': 100 })) {
      const { body } = await env.get(`${path}?${query}`)
      expect([body.data.length, body.totalCount], query).toEqual([length, 101])
    }
    for (const limit of ['0', '101', '-1', '1.5', 'x']) {
      expect((await env.get(`${path}?limit=${limit}`)).status, limit).toBe(422)
    }
  })
})
