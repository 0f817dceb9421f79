import { describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'
import { isUuid7 } from '../../lib/uuid7.ts'

const h = useSharedHarness()
const path = '/v2/topics/news/subscriptions'
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `s${n}`)

async function arrange(ids: string[]): Promise<Client> {
  const env = await h.environment()
  await env.post('/v1/subscribers/bulk', { subscribers: ids.map((subscriberId) => ({ subscriberId })) })
  await env.post('/v2/topics', { key: 'news', name: 'News' })
  return env
}
const idsOf = (items: Json[]): string[] => items.map((item) => item.subscriber.subscriberId)
const members = async (env: Client) => idsOf((await env.get(`${path}?limit=100&orderDirection=ASC`)).body.data)

describe('POST /v2/topics/{topicKey}/subscriptions', () => {
  test('201 with each subscription, the topic and the subscriber in it', async () => {
    const env = await h.environment()
    const profile = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', avatar: 'a.png' }
    const ada = (await env.post('/v2/subscribers', { subscriberId: 'ada', ...profile, phone: '1', data: { a: 1 } }))
      .body
    const topic = (await env.post('/v2/topics', { key: 'news', name: 'News' })).body
    const { status, body } = await env.post(path, { subscriptions: ['ada'] })
    expect(status).toBe(201)
    const [{ _id, createdAt }] = body.data
    expect(isUuid7(_id)).toBe(true)
    expect(body).toEqual({
      data: [
        {
          _id,
          identifier: 'tk_news:si_ada',
          createdAt,
          updatedAt: createdAt,
          topic,
          subscriber: { _id: ada._id, subscriberId: 'ada', ...profile },
        },
      ],
      meta: { totalCount: 1, successful: 1, failed: 0 },
    })
    expect((await env.get(path)).body.data).toMatchObject(body.data)
  })

  test('ids, objects and the older subscriberIds mean the same, mixed, each once', async () => {
    const env = await arrange(['a', 'b', 'c', 'd'])
    const { body } = await env.post(path, {
      subscriptions: [
        'a',
        { subscriberId: 'b', name: 'ignored' },
        { identifier: 'tk_news:si_c' },
        { subscriberId: 'a' },
      ],
      subscriberIds: ['d', 'b'],
    })
    expect(body.meta).toEqual({ totalCount: 4, successful: 4, failed: 0 })
    expect(await members(env)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('unknown subscribers fail by name, the others are subscribed; also when all are unknown', async () => {
    const env = await arrange(['a', 'b'])
    const stranger = await h.environment()
    await stranger.post('/v2/subscribers', { subscriberId: 'theirs' })
    const { status, body } = await env.post(path, { subscriptions: ['a', 'nobody', 'b', 'theirs', 'A', ''] })
    expect(status).toBe(201)
    expect(idsOf(body.data)).toEqual(['a', 'b'])
    expect(body.meta).toEqual({ totalCount: 6, successful: 2, failed: 4 })
    expect(body.errors.map((error: Json) => [error.subscriberId, error.code])).toEqual(
      ['nobody', 'theirs', 'A', ''].map((id) => [id, 'SUBSCRIBER_NOT_FOUND']),
    )
    const none = await env.post(path, { subscriptions: ['nobody'] })
    expect([none.status, none.body.meta]).toEqual([201, { totalCount: 1, successful: 0, failed: 1 }])
    expect(await members(env)).toEqual(['a', 'b'])
  })

  test('adding twice is no double: the same subscription again, also from twenty calls at once', async () => {
    const env = await arrange(numbered(50))
    const first = (await env.post(path, { subscriptions: ['s0'] })).body
    const again = await env.post(path, { subscriptions: ['s0'] })
    expect(again.body).toEqual(first)
    const calls = Array.from({ length: 20 }, (_, n) =>
      env.post(path, { subscriptions: n % 2 ? numbered(50) : numbered(50).reverse() }),
    )
    for (const reply of await Promise.all(calls)) {
      expect([reply.status, reply.body.meta.successful]).toEqual([201, 50])
    }
    expect((await members(env)).sort()).toEqual(numbered(50).sort())
    expect((await env.get(`${path}?subscriberId=s0`)).body.data).toMatchObject(first.data)
  })

  test('100 subscribers pass, 101 and none are 422; doubles do not count', async () => {
    const env = await arrange(numbered(101))
    const ids = numbered(101)
    for (const body of [
      { subscriptions: ids },
      { subscriberIds: ids },
      { subscriptions: ['s100'], subscriberIds: numbered(100) },
    ]) {
      expect((await env.post(path, body)).status).toBe(422)
    }
    for (const subscriptions of [[], [{}], [null], [1], 'a', { 0: 'a' }, [{ subscriberId: 5 }], [{ identifier: '' }]]) {
      expect((await env.post(path, { subscriptions })).status, JSON.stringify(subscriptions)).toBe(422)
    }
    expect(await members(env)).toEqual([])
    const full = await env.post(path, { subscriptions: numbered(100), subscriberIds: ['s0'] })
    expect(full.body.meta).toEqual({ totalCount: 100, successful: 100, failed: 0 })
    expect((await env.get(path)).body.totalCount).toBe(100)
  })

  test('a topic nobody made before is made, without a name', async () => {
    const env = await arrange(['a'])
    const { body } = await env.post('/v2/topics/fresh/subscriptions', { subscriptions: ['a'] })
    expect(body.data[0].topic).toEqual((await env.get('/v2/topics/fresh')).body)
    expect(body.data[0].topic).not.toHaveProperty('name')
    expect((await env.get('/v2/topics/news')).body.name).toBe('News')
  })
})

describe('DELETE /v2/topics/{topicKey}/subscriptions', () => {
  test('removes those named and shows them; who is not subscribed fails by name; 200 either way', async () => {
    const env = await arrange(['a', 'b', 'c'])
    const added = (await env.post(path, { subscriptions: ['a', 'b', 'c'] })).body.data
    await env.post('/v2/topics/sport/subscriptions', { subscriptions: ['a'] })
    const { status, body } = await env.delete(path, { subscriptions: ['b', { subscriberId: 'nobody' }, 'a'] })
    expect(status).toBe(200)
    expect(body.data).toEqual(added.slice(0, 2))
    expect(body.meta).toEqual({ totalCount: 3, successful: 2, failed: 1 })
    expect(body.errors).toMatchObject([{ subscriberId: 'nobody', code: 'SUBSCRIPTION_NOT_FOUND' }])
    expect(await members(env)).toEqual(['c'])
    expect((await env.get('/v2/topics/sport/subscriptions')).body.totalCount).toBe(1)
    const again = await env.delete(path, { subscriberIds: ['a'] })
    expect([again.status, again.body.meta]).toEqual([200, { totalCount: 1, successful: 0, failed: 1 }])
    const back = await env.post(path, { subscriptions: ['a'] })
    expect(back.body.data[0]._id).not.toBe(added[0]._id)
  })

  test("an identifier removes this topic's subscription, never one of another topic", async () => {
    const env = await arrange(['a', 'b:si_c'])
    await env.post(path, { subscriptions: ['a', 'b:si_c'] })
    const foreign = await env.delete(path, { subscriptions: [{ identifier: 'tk_sport:si_a' }] })
    expect(foreign.body.meta).toEqual({ totalCount: 1, successful: 0, failed: 1 })
    const own = await env.delete(path, { subscriptions: [{ identifier: 'tk_news:si_b:si_c' }] })
    expect(own.body.meta.successful).toBe(1)
    expect(await members(env)).toEqual(['a'])
  })

  test('twenty at once remove each subscription once', async () => {
    const env = await arrange(numbered(50))
    await env.post(path, { subscriptions: numbered(50) })
    const calls = Array.from({ length: 20 }, (_, n) =>
      env.delete(path, { subscriptions: n % 2 ? numbered(50) : numbered(50).reverse() }),
    )
    const replies = await Promise.all(calls)
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect(replies.flatMap((reply) => idsOf(reply.body.data)).sort()).toEqual(numbered(50).sort())
  })

  test('404 for an unknown topic, which is not made; 100 pass, 101 are 422', async () => {
    const env = await arrange([])
    const unknown = await env.delete('/v2/topics/old/subscriptions', { subscriptions: ['a'] })
    expect(unknown.body.code).toBe('topic_not_found')
    expect((await env.get('/v2/topics/old')).status).toBe(404)
    expect((await env.delete(path, { subscriptions: numbered(101) })).status).toBe(422)
    expect((await env.delete(path, { subscriptions: numbered(100) })).status).toBe(200)
  })
})

describe('one subscription', () => {
  test('is found by its identifier and by its subscriber; 404 for everybody else', async () => {
    const env = await arrange(['a', 'b', 'b/c?d'])
    const added = (await env.post(path, { subscriptions: ['a', 'b/c?d'] })).body.data
    for (const { _id, identifier, subscriber, topic } of added) {
      const byIdentifier = await env.get(`${path}/${encodeURIComponent(identifier)}`)
      expect(byIdentifier).toMatchObject({ status: 200, body: { id: _id, identifier } })
      const bySubscriber = await env.get(`/v1/topics/news/subscribers/${encodeURIComponent(subscriber.subscriberId)}`)
      expect(bySubscriber.body).toEqual({
        _organizationId: env.organizationId,
        _environmentId: env.environmentId,
        _subscriberId: subscriber._id,
        _topicId: topic._id,
        topicKey: 'news',
        externalSubscriberId: subscriber.subscriberId,
      })
    }
    for (const identifier of ['a', 'tk_news:si_b', 'tk_news:si_', 'tk_news:si_A', 'tk_sport:si_a', 'tk_news']) {
      expect((await env.get(`${path}/${identifier}`)).body.code, identifier).toBe('topic_subscription_not_found')
    }
    expect((await env.get(`${path}/${added[0]._id}`)).body).toMatchObject({ identifier: 'tk_news:si_a' })
    expect((await env.get('/v1/topics/news/subscribers/b')).body.code).toBe('topic_subscription_not_found')
    expect((await env.get('/v1/topics/old/subscribers/a')).body.code).toBe('topic_not_found')
    expect((await env.get('/v2/topics/old/subscriptions/tk_old:si_a')).body.code).toBe('topic_not_found')
  })
})
