import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, underRowLevelSecurity, useHarness } from '../../../test/harness.ts'
import purgeTopics from '../../tasks/purge-topics.ts'

const h = useHarness()

async function arrange(): Promise<Client> {
  const env = await h.environment()
  const ids = Array.from({ length: 30 }, (_, n) => `s${n}`)
  await env.post('/v1/subscribers/bulk', { subscribers: ids.map((subscriberId) => ({ subscriberId })) })
  for (const key of ['news', 'sport']) await env.post(`/v2/topics/${key}/subscriptions`, { subscriptions: ids })
  return env
}

async function rowsLeft(env: Client) {
  const count = async (table: string) => {
    const { rows } = await sql`select 1 from ${sql.table(table)} where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    return rows.length
  }
  return { topics: await count('topic'), members: await count('topic_subscription') }
}

describe('DELETE /v2/topics/{topicKey}', () => {
  test('is acknowledged once; then the topic is unknown everywhere and in no list', async () => {
    const env = await arrange()
    expect(await env.delete('/v2/topics/news')).toMatchObject({ status: 200, body: { acknowledged: true } })
    const gone = [
      env.get('/v2/topics/news'),
      env.patch('/v2/topics/news', { name: 'x' }),
      env.delete('/v2/topics/news'),
      env.get('/v2/topics/news/subscriptions'),
      env.delete('/v2/topics/news/subscriptions', { subscriptions: ['s1'] }),
      env.get('/v2/topics/news/subscriptions/tk_news:si_s1'),
      env.get('/v1/topics/news/subscribers/s1'),
    ]
    for (const { body } of await Promise.all(gone)) expect(body.code, body.path).toBe('topic_not_found')
    expect((await env.get('/v2/topics')).body).toMatchObject({ totalCount: 1, data: [{ key: 'sport' }] })
    expect((await env.get('/v2/topics?key=news')).body.totalCount).toBe(0)
    const ofSubscriber = await env.get('/v2/subscribers/s1/subscriptions')
    expect(ofSubscriber.body).toMatchObject({ totalCount: 1, data: [{ topic: { key: 'sport' } }] })
  })

  test('its key is free at once, for a new topic without the old members', async () => {
    const env = await arrange()
    const old = (await env.get('/v2/topics/news')).body
    await env.delete('/v2/topics/news')
    const made = await env.post('/v2/topics?failIfExists=true', { key: 'news', name: 'New' })
    expect(made.status).toBe(200)
    expect(made.body._id).not.toBe(old._id)
    expect((await env.get('/v2/topics/news/subscriptions')).body.totalCount).toBe(0)
    await env.delete('/v2/topics/news')
    expect((await env.post('/v2/topics/news/subscriptions', { subscriptions: ['s1'] })).status).toBe(201)
    expect((await env.get('/v2/topics/news/subscriptions')).body.totalCount).toBe(1)
  })

  test("another environment's topic of the same key stays", async () => {
    const [env, other] = [await arrange(), await arrange()]
    await env.delete('/v2/topics/news')
    expect((await other.get('/v2/topics/news/subscriptions')).body.totalCount).toBe(30)
  })
})

// The loop works for every environment at once, which the restricted role may not.
describe.skipIf(underRowLevelSecurity)('purge-topics', () => {
  test('removes what deleted topics left, in batches, and nothing else', async () => {
    const env = await arrange()
    // Removes what earlier tests left. These topics are not deleted yet, so they stay.
    while ((await purgeTopics.run(h.ctx)) > 0);
    expect(await rowsLeft(env)).toEqual({ topics: 2, members: 60 })

    await env.delete('/v2/topics/news')
    await env.post('/v2/topics/news/subscriptions', { subscriptions: ['s1'] })
    expect(await purgeTopics.run(h.ctx)).toBe(30)
    expect(await purgeTopics.run(h.ctx)).toBe(1)
    expect(await purgeTopics.run(h.ctx)).toBe(0)
    expect(await rowsLeft(env)).toEqual({ topics: 2, members: 31 })
    expect((await env.get('/v2/topics/news/subscriptions')).body.totalCount).toBe(1)
    expect((await env.get('/v2/topics/sport/subscriptions')).body.totalCount).toBe(30)
  })

  test('a batch is never larger than asked, and two at once do no harm', async () => {
    const env = await arrange()
    await env.delete('/v2/topics/news')
    await env.delete('/v2/topics/sport')
    const { purgeDeletedTopics } = await import('../../store/topics.ts')
    expect(await purgeDeletedTopics(h.ctx.database.db, 7)).toBe(7)
    expect((await rowsLeft(env)).members).toBe(53)
    await Promise.all(Array.from({ length: 6 }, () => purgeTopics.run(h.ctx)))
    while ((await purgeTopics.run(h.ctx)) > 0);
    expect(await rowsLeft(env)).toEqual({ topics: 0, members: 0 })
  })
})
