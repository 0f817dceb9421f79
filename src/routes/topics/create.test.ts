import { afterEach, describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'
import { isUuid7, uuid7 } from '../../lib/uuid7.ts'

const h = useSharedHarness()
const path = '/v2/topics'
afterEach(() => {
  h.ctx.clock = () => new Date()
})
const rfc3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('POST /v2/topics', () => {
  test('creates, then renames the topic with the same key', async () => {
    const env = await h.environment()
    const created = await env.post(path, { key: 'news', name: 'News' })
    expect(created.status).toBe(200)
    const { _id, createdAt } = created.body
    expect(created.body).toEqual({ _id, key: 'news', name: 'News', createdAt: rfc3339, updatedAt: createdAt })
    expect(isUuid7(_id)).toBe(true)
    const renamed = await env.post(path, { key: 'news', name: 'Latest' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({ _id, key: 'news', name: 'Latest', createdAt, updatedAt: rfc3339 })
    expect((await env.get(`${path}/news`)).body).toEqual(renamed.body)
  })

  test('without a name it has none, not null; a later POST without one keeps the name', async () => {
    const env = await h.environment()
    const made = (await env.post(path, { key: 'news' })).body
    expect(made).not.toHaveProperty('name')
    await env.post(path, { key: 'news', name: 'News' })
    expect((await env.post(path, { key: 'news' })).body).toMatchObject({ _id: made._id, name: 'News' })
  })

  test('updatedAt moves only when the name does', async () => {
    const env = await h.environment()
    const at = (ms: number) => {
      h.ctx.clock = () => new Date(1_800_000_000_000 + ms)
    }
    at(1)
    const made = (await env.post(path, { key: 'news', name: 'News' })).body
    at(2)
    expect((await env.post(path, { key: 'news', name: 'News' })).body).toEqual(made)
    expect((await env.post(path, { key: 'news' })).body).toEqual(made)
    const { body } = await env.post(path, { key: 'news', name: 'news' })
    expect(Date.parse(body.updatedAt) - Date.parse(made.updatedAt)).toBe(1)
  })

  test('failIfExists=true: 409 with the error fields and the existing topic in one object, nothing changed', async () => {
    const env = await h.environment()
    const made = await env.post(`${path}?failIfExists=true`, { key: 'news', name: 'News' })
    expect(made.status).toBe(200)
    const refused = await env.post(`${path}?failIfExists=true`, { key: 'news', name: 'Other' })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ ...made.body, statusCode: 409, code: 'topic_exists' })
    expect((await env.get(`${path}/news`)).body).toEqual(made.body)
    expect((await env.post(`${path}?failIfExists=false`, { key: 'news', name: 'Other' })).body.name).toBe('Other')
    expect((await env.post(`${path}?failIfExists=maybe`, { key: 'news' })).status).toBe(422)
  })

  test('unknown fields and those the service owns have no effect', async () => {
    const env = await h.environment()
    const sent = { _id: uuid7(new Date()), createdAt: '2000-01-01T00:00:00.000Z', updatedAt: 'x', subscribers: ['a'] }
    const { body } = await env.post(path, { key: 'news', ...sent })
    expect(Object.keys(body).sort()).toEqual(['_id', 'createdAt', 'key', 'updatedAt'])
    expect(body._id).not.toBe(sent._id)
    expect(body.createdAt).not.toBe(sent.createdAt)
  })

  test('fifty at once with one key: one topic, no 5xx', async () => {
    const env = await h.environment()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => env.post(path, { key: 'same', name: `Name ${n}` })),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.body._id)).size).toBe(1)
    expect((await env.get(path)).body.totalCount).toBe(1)
  })

  test('creating, deleting and subscribing at once with one key: no 5xx, never two topics', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    const rounds = Array.from({ length: 15 }, (_, n) => [
      env.post(path, { key: 'same', name: `Name ${n}` }),
      env.delete(`${path}/same`),
      env.post(`${path}/same/subscriptions`, { subscriptions: ['ada'] }),
    ])
    const replies = await Promise.all(rounds.flat())
    expect(replies.filter((reply) => reply.status >= 500).map((reply) => reply.text)).toEqual([])
    expect((await env.get(path)).body.totalCount).toBeLessThanOrEqual(1)
  })
})

describe('key', () => {
  const email100 = `${'l'.repeat(64)}@${'d'.repeat(27)}.example`
  test.each([
    'a',
    '0',
    '-',
    '_',
    ':',
    'aZ09-_:',
    'k'.repeat(100),
    'ada@example.com',
    "o'brien+news/x@sub.example.com",
    `${'l'.repeat(64)}@example.com`,
    email100,
    `${'😀'.repeat(60)}@example.com`,
    'subscriptions',
  ])('%s is a key, everywhere a key is asked for', async (key) => {
    const env = await h.environment()
    const made = await env.post(path, { key })
    expect([made.status, made.body.key]).toEqual([200, key])
    const one = `${path}/${encodeURIComponent(key)}`
    expect((await env.get(one)).body).toEqual(made.body)
    expect((await env.patch(one, { name: 'N' })).body.name).toBe('N')
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    const joined = await env.post(`${one}/subscriptions`, { subscriptions: ['ada'] })
    expect([joined.status, joined.body.meta]).toEqual([201, { totalCount: 1, successful: 1, failed: 0 }])
    const { identifier } = joined.body.data[0]
    expect(identifier).toBe(`tk_${key}:si_ada`)
    expect((await env.get(`${one}/subscriptions/${encodeURIComponent(identifier)}`)).status).toBe(200)
    expect((await env.get(`${path}?key=${encodeURIComponent(key)}`)).body.totalCount).toBe(1)
    expect((await env.delete(one)).status).toBe(200)
  })

  test('422 for anything else, on create and on subscribing to a topic that would be made', async () => {
    const env = await h.environment()
    const texts = [
      'k'.repeat(101),
      `l${email100}`,
      ' ',
      'a b',
      ' a',
      'a\n',
      'a.b',
      'a/b',
      'ä',
      'a@b',
      'a,b',
      '😀',
      'a%',
    ]
    expect(email100).toHaveLength(100)
    for (const key of ['', ...texts, null, 7, {}, undefined]) {
      const reply = await env.post(path, { key })
      expect([reply.status, Object.keys(reply.body.errors ?? {})], String(key)).toEqual([422, ['key']])
    }
    for (const key of texts) {
      const reply = await env.post(`${path}/${encodeURIComponent(key)}/subscriptions`, { subscriptions: ['ada'] })
      expect(reply.status, key).toBe(422)
    }
    expect((await env.get(path)).body.totalCount).toBe(0)
  })

  test('letter case makes another topic', async () => {
    const env = await h.environment()
    const [small, big] = [await env.post(path, { key: 'news' }), await env.post(path, { key: 'NEWS' })]
    expect(small.body._id).not.toBe(big.body._id)
  })
})

describe('name', () => {
  test('0 to 100 characters of any kind; 101 or no text is 422', async () => {
    const env = await h.environment()
    for (const name of ['', ' ', 'n', 'n'.repeat(100), '😀'.repeat(100), 'Ключ "quoted" \n']) {
      const reply = await env.post(path, { key: 'news', name })
      expect([reply.status, reply.body.name], name).toEqual([200, name])
      expect((await env.get(`${path}/news`)).body.name).toBe(name)
    }
    for (const name of ['n'.repeat(101), '😀'.repeat(101), 1, null, [], {}]) {
      const reply = await env.post(path, { key: 'news', name })
      expect([reply.status, Object.keys(reply.body.errors ?? {})], String(name)).toEqual([422, ['name']])
    }
  })
})
