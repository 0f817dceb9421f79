import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })

describe.each(['unseen', 'unread'])('GET /v1/subscribers/{subscriberId}/notifications/%s', (what) => {
  const flag = what === 'unseen' ? 'seen' : 'read'
  const path = `/v1/subscribers/ada/notifications/${what}`

  test('counts what the feed shows and nothing else, up to the limit', async () => {
    const env = await feedEnvironment(h)
    const feed = feedOf(env)
    await fillFeed(h, env, 'bob', 1)
    const ids = await fillFeed(h, env, 'ada', 105)
    const count = async (query = '') => (await env.get(`${path}?${query}`)).body
    expect(await count()).toEqual({ count: 100 })
    expect(await count('limit=1000')).toEqual({ count: 105 })
    expect(await count('limit=7')).toEqual({ count: 7 })
    await feed.markAs(ids.slice(0, 20), flag)
    expect(await count('limit=1000')).toEqual({ count: 85 })
    expect(await count(`limit=1000&${flag}=true`)).toEqual({ count: 20 })
    await feed.patch(ids[30] ?? '', 'archive')
    await feed.patch(ids[31] ?? '', 'snooze', { snoozeUntil: '2126-01-01T00:00:00Z' })
    await env.delete(`/v1/messages/${ids[32]}`)
    await sql`update message set status = 'error' where id = ${ids[33]}`.execute(h.admin)
    await sql`update message set channel = 'sms' where id = ${ids[34]}`.execute(h.admin)
    expect(await count()).toEqual({ count: 80 })
    expect(await feed.ids(`${flag}=false`)).toHaveLength(80)
  })

  test.each(['limit=0', 'limit=1001', 'limit=many'])('422: %s', async (query) => {
    const env = await h.environment()
    expect((await env.get(`${path}?${query}`)).status).toBe(422)
  })
})
