import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const path = '/v1/subscribers/ada/notifications/feed'
const count = 105

let env: Client

const payloadOf = (n: number) => ({
  n,
  even: n % 2 === 0,
  order: { id: `o${n}`, address: { city: n < 3 ? 'Ulm' : 'Bonn', lines: [n, n + 1] } },
  tags: ['all', `tag-${n}`],
})

beforeAll(async () => {
  env = await h.environment()
  const body = '{{ payload.n }}'
  await makeWorkflow(env, 'hello', { steps: [{ name: 'x', type: 'in_app', controlValues: { body } }] })
  for (let n = 0; n < count; n++) await trigger(env, { to: 'ada', payload: payloadOf(n) })
  await trigger(env, { to: 'bob', payload: payloadOf(0) })
  await h.drain()
})

async function contents(query: string): Promise<number[]> {
  const { status, body } = await env.get(`${path}?limit=100&${query}`)
  expect(status, query).toBe(200)
  expect(body.totalCount).toBe(body.hasMore ? count : body.data.length)
  return body.data.map((it: Json) => Number(it.content))
}
const partial = (value: unknown) =>
  `payload=${encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))}`

describe('GET /v1/subscribers/{subscriberId}/notifications/feed', () => {
  test('newest first, ten at a time, one subscriber alone', async () => {
    const { body } = await env.get(path)
    expect(body).toMatchObject({ page: 0, pageSize: 10, hasMore: true, totalCount: count })
    expect(body.data.map((it: Json) => Number(it.content))).toEqual([104, 103, 102, 101, 100, 99, 98, 97, 96, 95])
    expect((await env.get(path.replace('ada', 'bob'))).body).toMatchObject({ totalCount: 1, hasMore: false })
  })

  test('pages up to and past the end', async () => {
    const page = async (number: number, limit: number) => {
      const { body } = await env.get(`${path}?page=${number}&limit=${limit}`)
      expect(body).toMatchObject({ page: number, pageSize: limit, totalCount: count })
      return [body.data.length, body.hasMore]
    }
    expect(await page(0, 100)).toEqual([100, true])
    expect(await page(1, 100)).toEqual([5, false])
    expect(await page(2, 100)).toEqual([0, false])
    // The last page is full: nothing follows it.
    expect(await page(20, 5)).toEqual([5, false])
    expect(await page(19, 5)).toEqual([5, true])
    expect(await page(104, 1)).toEqual([1, false])
    expect(await page(9_000_000, 100)).toEqual([0, false])
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'page=-1',
    'page=0.5',
    'read=maybe',
    'seen=2',
  ])('422: %s', async (query) => {
    const reply = await env.get(`${path}?${query}`)
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors)).toEqual([query.split('=')[0]])
  })

  test('404 for a subscriber that is unknown, deleted, or of another environment', async () => {
    const other = await h.environment()
    for (const reply of [await env.get(path.replace('ada', 'nobody')), await other.get(path)]) {
      expect([reply.status, reply.body.code]).toEqual([404, 'subscriber_not_found'])
    }
    await other.post('/v2/subscribers', { subscriberId: 'ada' })
    expect((await other.get(path)).body).toEqual({ data: [], hasMore: false, page: 0, pageSize: 10, totalCount: 0 })
    await other.delete('/v2/subscribers/ada')
    expect((await other.get(path)).status).toBe(404)
  })

  test('read and seen, alone and together', async () => {
    const mark = (n: number, flags: Json) =>
      sql`
      update message m set seen = ${flags.seen}, read = ${flags.read} from event e
      where m.environment_id = ${env.environmentId} and e.environment_id = m.environment_id and e.id = m.event_id
        and (e.payload->>'n')::int = ${n} and m.content = ${String(n)}`.execute(h.admin)
    await mark(7, { seen: true, read: false })
    await mark(8, { seen: true, read: true })
    expect(await contents('seen=true')).toEqual([8, 7])
    expect(await contents('read=true')).toEqual([8])
    expect(await contents('read=1&seen=1')).toEqual([8])
    expect(await contents('read=false&seen=true')).toEqual([7])
    expect(await contents('read=true&seen=false')).toEqual([])
    const unread = (await env.get(`${path}?read=false`)).body
    expect([unread.totalCount, (await env.get(`${path}?seen=0`)).body.totalCount]).toEqual([count - 1, count - 2])
  })

  test('a partial payload, however deep', async () => {
    expect(await contents(partial({ n: 5 }))).toEqual([5])
    expect(await contents(partial({ order: { id: 'o9' } }))).toEqual([9])
    expect(await contents(partial({ order: { address: { city: 'Ulm' } } }))).toEqual([2, 1, 0])
    expect(await contents(partial({ order: { address: { city: 'Ulm' } }, even: true }))).toEqual([2, 0])
    expect(await contents(partial({ order: { address: { lines: [4, 3] } } }))).toEqual([3])
    expect(await contents(partial({ tags: ['tag-12'] }))).toEqual([12])
    expect(await contents(partial({ n: '5' }))).toEqual([])
    expect(await contents(partial({ order: 'o9' }))).toEqual([])
    expect(await contents(partial({ other: null }))).toEqual([])
    expect((await env.get(`${path}?${partial({})}`)).body.totalCount).toBe(count)
    expect((await env.get(`${path}?payload=`)).body.totalCount).toBe(count)
    const urlSafe = Buffer.from(JSON.stringify({ even: true, tags: ['tag-12'] })).toString('base64url')
    expect(await contents(`payload=${urlSafe}`)).toEqual([12])
  })

  test('an actor shows the avatar he has today; one who is unknown shows what the event said of him', async () => {
    const [own, other] = [await h.environment(), await h.environment()]
    await makeWorkflow(own)
    await other.post('/v2/subscribers', { subscriberId: 'ghost', avatar: 'https://example.com/not-ours.png' })
    await own.post('/v2/subscribers', { subscriberId: 'boss', avatar: 'https://example.com/old.png' })
    await own.post('/v2/subscribers', { subscriberId: 'plain' })
    const given = { subscriberId: 'gone', avatar: 'https://example.com/given.png' }
    const actors = ['boss', 'plain', 'ghost', given, undefined]
    for (const actor of actors) await trigger(own, { to: 'ada', ...(actor && { actor }) })
    await h.drain()
    const shown = async () => (await own.get(path)).body.data.map((it: Json) => it.actor).toReversed()
    const user = (data: string | null) => ({ type: 'user', data })
    const none = { type: 'none', data: null }
    const rest = [user(null), user(null), user(given.avatar), none]
    expect(await shown()).toEqual([user('https://example.com/old.png'), ...rest])
    await own.patch('/v2/subscribers/boss', { avatar: 'https://example.com/new.png' })
    await own.delete('/v2/subscribers/gone')
    expect(await shown()).toEqual([user('https://example.com/new.png'), ...rest])
  })

  test.each<[string, string]>([
    ['no base64', '%%%'],
    ['no base64, with blanks', 'a b'],
    ['no JSON', Buffer.from('{n:5}').toString('base64')],
    ['JSON cut off', Buffer.from('{"n":5').toString('base64')],
    ['a list', Buffer.from('[1]').toString('base64')],
    ['a text', Buffer.from('"n"').toString('base64')],
    ['null', Buffer.from('null').toString('base64')],
    ['a NUL', Buffer.from('{"n":"\\u0000"}').toString('base64')],
    ['half a character', Buffer.from('{"n":"\\ud800"}').toString('base64')],
    ['a prototype', Buffer.from('{"__proto__":{}}').toString('base64')],
    ['a thousand lists in lists', Buffer.from(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`).toString('base64')],
  ])('400 for a payload that is %s', async (_name, payload) => {
    const reply = await env.get(`${path}?payload=${encodeURIComponent(payload)}`)
    expect([reply.status, reply.body.code]).toEqual([400, 'malformed_request'])
  })
})
