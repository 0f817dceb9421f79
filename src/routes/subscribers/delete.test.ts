import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const slack = { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.slack.com/services/T/B/secret' } }

async function makeEverything(env: Client): Promise<Json> {
  await env.post('/v2/subscribers', { subscriberId: 'ada', email: 'ada@example.com', data: { secret: 'of-ada' } })
  await env.put('/v1/subscribers/ada/credentials', slack)
  await env.post('/v2/topics', { key: 'news', name: 'News' })
  await env.post('/v2/topics/news/subscriptions', { subscriptions: ['ada'] })
  await env.post('/v2/topics/sport/subscriptions', { subscriptions: ['ada'] })
  return (await env.get('/v2/subscribers/ada')).body
}

describe('DELETE /v2/subscribers/{subscriberId}', () => {
  test('is acknowledged once; then the subscriber is unknown everywhere and in no list', async () => {
    const env = await h.environment()
    await makeEverything(env)
    const reply = await env.delete('/v2/subscribers/ada')
    expect(reply).toMatchObject({ status: 200, body: { acknowledged: true, status: 'deleted' } })
    const gone = [
      env.get('/v2/subscribers/ada'),
      env.get('/v2/subscribers/ada/export'),
      env.get('/v2/subscribers/ada/subscriptions'),
      env.patch('/v2/subscribers/ada', { firstName: 'Ada' }),
      env.delete('/v2/subscribers/ada'),
      env.put('/v1/subscribers/ada/credentials', slack),
      env.patch('/v1/subscribers/ada/credentials', slack),
      env.delete('/v1/subscribers/ada/credentials/slack'),
      env.patch('/v1/subscribers/ada/online-status', { isOnline: true }),
    ]
    for (const { body } of await Promise.all(gone)) expect(body.code, body.path).toBe('subscriber_not_found')
    const empty = { data: [], totalCount: 0, next: null, previous: null, totalCountCapped: false }
    for (const list of ['/v2/subscribers', '/v2/subscribers?email=ada@', '/v2/topics/news/subscriptions']) {
      expect((await env.get(list)).body, list).toEqual(empty)
    }
    expect((await env.get('/v1/topics/news/subscribers/ada')).body.code).toBe('topic_subscription_not_found')
    expect((await env.get('/v2/topics/news/subscriptions/tk_news:si_ada')).status).toBe(404)
  })

  test('erases profile, credentials and memberships at once; the integration and the topics stay', async () => {
    const env = await h.environment()
    await makeEverything(env)
    await env.post('/v2/subscribers', { subscriberId: 'eve' })
    await env.delete('/v2/subscribers/ada')
    for (const [table, left] of Object.entries({ subscriber: 1, subscriber_channel: 0, topic_subscription: 0 })) {
      const { rows } = await sql`select 1 from ${sql.table(table)} where environment_id = ${env.environmentId}`.execute(
        h.admin,
      )
      expect(rows.length, table).toBe(left)
    }
    expect((await env.get('/v1/integrations')).body).toHaveLength(1)
    expect((await env.get('/v2/topics')).body.totalCount).toBe(2)
  })

  test('POST again makes a new subscriber with a new _id and nothing of the old one', async () => {
    const env = await h.environment()
    const old = await makeEverything(env)
    await env.delete('/v2/subscribers/ada')
    const { body } = await env.post('/v2/subscribers?failIfExists=true', { subscriberId: 'ada' })
    expect(body._id).not.toBe(old._id)
    expect(body).toMatchObject({ email: null, data: null, channels: [], __v: 0, deleted: false })
    expect((await env.get('/v2/subscribers/ada/subscriptions')).body.totalCount).toBe(0)
  })

  test('deletes racing with upserts, credentials and topic joins: no 5xx, no half of a subscriber', async () => {
    const env = await h.environment()
    await env.post('/v2/topics', { key: 'news' })
    // In whatever order they come, there is somebody to delete.
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    const rounds = Array.from({ length: 15 }, () => [
      env.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada' }),
      env.put('/v1/subscribers/ada/credentials', slack),
      env.post('/v2/topics/news/subscriptions', { subscriptions: ['ada'] }),
      env.delete('/v2/subscribers/ada'),
    ])
    const replies = await Promise.all(rounds.map((round) => Promise.all(round)))
    expect(replies.flat().filter((reply) => reply.status >= 500)).toEqual([])
    for (const kind of [0, 1, 2, 3]) {
      const succeeded = replies.filter((round) => (round[kind]?.status ?? 999) < 300)
      expect(succeeded.length, `of ${replies[0]?.[kind]?.body.path ?? kind}`).toBeGreaterThan(0)
    }
    await env.delete('/v2/subscribers/ada')
    expect((await env.get('/v2/topics/news/subscriptions')).body.totalCount).toBe(0)
  })
})

describe('GET /v2/subscribers/{subscriberId}/export', () => {
  test('gives everything held: profile, credentials in the clear, and every membership', async () => {
    const env = await h.environment()
    const subscriber = await makeEverything(env)
    const { status, body } = await env.get('/v2/subscribers/ada/export')
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      'channelEndpoints',
      'exportedAt',
      'messages',
      'next',
      'notifications',
      'preferences',
      'subscriber',
      'subscriptions',
      'topicSubscriptions',
    ])
    expect(body.subscriber).toEqual(subscriber)
    expect(body.subscriber.channels).toMatchObject([slack])
    expect(body.topicSubscriptions.map((item: Json) => item.topic.key)).toEqual(['news', 'sport'])
    const listed = (await env.get('/v2/subscribers/ada/subscriptions?orderDirection=ASC')).body.data
    expect(body.topicSubscriptions).toEqual(listed)
    expect(new Date(body.exportedAt).toISOString()).toBe(body.exportedAt)
  })

  test('leaves out memberships of topics that are gone', async () => {
    const env = await h.environment()
    await makeEverything(env)
    await env.delete('/v2/topics/news')
    const { body } = await env.get('/v2/subscribers/ada/export')
    expect(body.topicSubscriptions.map((item: Json) => item.topic.key)).toEqual(['sport'])
  })
})
