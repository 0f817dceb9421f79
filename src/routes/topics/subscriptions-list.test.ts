import { describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v2/topics/news/subscriptions'
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `s${n}`)
const nothing = { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false }
const idsOf = (items: Json[]): string[] => items.map((item) => item.subscriber.subscriberId)

async function arrange(count: number): Promise<Client> {
  const env = await h.environment()
  const subscribers = numbered(count).map((subscriberId) => ({ subscriberId, firstName: `Name ${subscriberId}` }))
  await env.post('/v1/subscribers/bulk', { subscribers })
  await env.post('/v2/topics', { key: 'news', name: 'News' })
  for (let n = 0; n < count; n += 100) {
    await env.post(path, { subscriptions: numbered(count).slice(n, n + 100) })
  }
  return env
}

describe('GET /v2/topics/{topicKey}/subscriptions', () => {
  test('newest first; _id and createdAt order in both directions, anything else is 422', async () => {
    const env = await arrange(5)
    for (const orderBy of ['', '&orderBy=_id', '&orderBy=createdAt']) {
      const ask = async (direction: string) => idsOf((await env.get(`${path}?${direction}${orderBy}`)).body.data)
      expect(await ask('')).toEqual(numbered(5).reverse())
      expect(await ask('orderDirection=DESC')).toEqual(numbered(5).reverse())
      expect(await ask('orderDirection=ASC')).toEqual(numbered(5))
    }
    for (const orderBy of ['updatedAt', 'subscriberId', 'key', 'topic', 'id']) {
      expect((await env.get(`${path}?orderBy=${orderBy}`)).status, orderBy).toBe(422)
    }
  })

  test('limit: 1 to 100, default 10, else 422', async () => {
    const env = await arrange(101)
    for (const [query, length] of Object.entries({ '': 10, 'limit=1': 1, 'limit=100': 100 })) {
      const { body } = await env.get(`${path}?${query}`)
      expect([body.data.length, body.totalCount, body.totalCountCapped], query).toEqual([length, 101, false])
    }
    for (const limit of ['0', '101', '-1', '1.5', 'x']) {
      expect((await env.get(`${path}?limit=${limit}`)).status, limit).toBe(422)
    }
  })

  test('subscriberId is the whole id, by letter case; an unknown one is an empty page', async () => {
    const env = await arrange(12)
    const { body } = await env.get(`${path}?subscriberId=s1`)
    expect(idsOf(body.data)).toEqual(['s1'])
    expect(body).toMatchObject({ totalCount: 1, next: null, previous: null })
    for (const id of ['s', 'S1', 'nobody', 's%25', 's_']) {
      expect((await env.get(`${path}?subscriberId=${id}`)).body, id).toEqual(nothing)
    }
    expect((await env.get(`${path}?subscriberId=`)).body.totalCount).toBe(12)
  })

  test('shows topic and subscriber as they are now', async () => {
    const env = await arrange(2)
    await env.patch('/v2/topics/news', { name: 'Latest' })
    await env.patch('/v2/subscribers/s0', { firstName: null, email: 'new@example.com' })
    await env.delete('/v2/subscribers/s1')
    const { body } = await env.get(path)
    expect(body).toMatchObject({
      totalCount: 1,
      data: [{ topic: { name: 'Latest' }, subscriber: { firstName: null, email: 'new@example.com' } }],
    })
  })

  test('404 for an unknown topic; a topic without members is an empty page', async () => {
    const env = await arrange(0)
    expect((await env.get('/v2/topics/old/subscriptions')).body.code).toBe('topic_not_found')
    expect((await env.get(path)).body).toEqual(nothing)
  })
})

describe('GET /v2/subscribers/{subscriberId}/subscriptions', () => {
  const mine = '/v2/subscribers/s0/subscriptions'

  test('lists the topics of one subscriber, newest first, each with its subscription', async () => {
    const env = await arrange(2)
    for (const key of ['sport', 'ada@example.com']) {
      await env.post(`/v2/topics/${key}/subscriptions`, { subscriptions: ['s0'] })
    }
    await env.post('/v2/topics/weather/subscriptions', { subscriptions: ['s1'] })
    const { body } = await env.get(mine)
    expect(body.data.map((item: Json) => item.topic.key)).toEqual(['ada@example.com', 'sport', 'news'])
    expect(idsOf(body.data)).toEqual(['s0', 's0', 's0'])
    expect((await env.get(`${path}?subscriberId=s0`)).body.data[0]).toMatchObject(body.data[2])
    expect(body).toMatchObject({ totalCount: 3, next: null, previous: null })
  })

  test('key is the whole key; orderBy and limit as in the other list', async () => {
    const env = await arrange(1)
    await env.post('/v2/topics/news2/subscriptions', { subscriptions: ['s0'] })
    const keys = async (query: string) =>
      (await env.get(`${mine}?${query}`)).body.data.map((item: Json) => item.topic.key)
    expect(await keys('key=news')).toEqual(['news'])
    expect(await keys('key=new')).toEqual([])
    expect(await keys('orderBy=createdAt&orderDirection=ASC')).toEqual(['news', 'news2'])
    expect(await keys('limit=1')).toEqual(['news2'])
    for (const query of ['orderBy=key', 'limit=0', 'limit=101', 'orderDirection=up']) {
      expect((await env.get(`${mine}?${query}`)).status, query).toBe(422)
    }
  })

  test('404 for an unknown subscriber; one without topics has an empty page', async () => {
    const env = await h.environment()
    expect((await env.get(mine)).body.code).toBe('subscriber_not_found')
    await env.post('/v2/subscribers', { subscriberId: 's0' })
    expect((await env.get(mine)).body).toEqual(nothing)
  })
})
