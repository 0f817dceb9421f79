import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { apiKeyId } from '../../lib/api-key.ts'

const h = useHarness({}, { worker: true })
let env: Client

beforeAll(async () => {
  env = await h.environment()
  await makeWorkflow(env)
  const events = [
    { to: ['ada', 'bob'], transactionId: 't-1' },
    { to: 'ada', transactionId: 't-2', context: { team: 't1' } },
    { to: 'eve', transactionId: 't-3', context: { team: 't1', project: 'p1' } },
    { to: 'eve', transactionId: 't-4', context: { team: 't2' } },
  ]
  for (const event of events) {
    await trigger(env, event)
    await h.drain()
  }
})

/** As transaction/person, newest event first. */
async function listed(query: string, from = env): Promise<string[]> {
  const { status, body } = await from.get(`/v1/messages?${query}`)
  expect(status, query).toBe(200)
  expect(body.totalCount, query).toBe(body.data.length)
  const times = body.data.map((it: Json) => it.createdAt)
  expect(times).toEqual(times.toSorted().toReversed())
  return body.data.map((it: Json) => `${it.transactionId}/${it.subscriber.subscriberId}`).toSorted()
}
const everything = ['t-1/ada', 't-1/bob', 't-2/ada', 't-3/eve', 't-4/eve']

describe('GET /v1/messages', () => {
  test.each<[string, string[]]>([
    ['', everything],
    ['channel=in_app', everything],
    ['channel=email', []],
    ['subscriberId=ada', ['t-1/ada', 't-2/ada']],
    ['subscriberId=nobody', []],
    ['subscriberId=', everything],
    ['transactionId=t-1', ['t-1/ada', 't-1/bob']],
    ['transactionId=t-1&transactionId=t-3', ['t-1/ada', 't-1/bob', 't-3/eve']],
    ['transactionId[]=t-2&transactionId[]=t-3', ['t-2/ada', 't-3/eve']],
    ['transactionId=t-2&transactionId=t-2', ['t-2/ada']],
    ['transactionId=t-2&transactionId=none', ['t-2/ada']],
    ['transactionId=none', []],
    ['contextKeys=team:t1', ['t-2/ada']],
    ['contextKeys=team:t1&contextKeys=project:p1', ['t-3/eve']],
    ['contextKeys=project:p1&contextKeys=team:t1&contextKeys=team:t1', ['t-3/eve']],
    ['contextKeys=project:p1', []],
    ['contextKeys=team:t1&contextKeys=team:t2', []],
    ['contextKeys=team', []],
    ['subscriberId=ada&transactionId=t-1', ['t-1/ada']],
    ['subscriberId=bob&transactionId=t-2', []],
    ['subscriberId=eve&contextKeys=team:t2&channel=in_app&transactionId=t-4', ['t-4/eve']],
    ['subscriberId=eve&contextKeys=team:t2&channel=sms', []],
    ['subscriberId=nobody&transactionId=t-1', []],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  test('another environment has none of them, by whatever filter', async () => {
    const other = await h.environment()
    await other.post('/v2/subscribers', { subscriberId: 'ada' })
    for (const query of ['', 'subscriberId=ada', 'transactionId=t-1', 'contextKeys=team:t1', 'channel=in_app']) {
      expect(await listed(query, other)).toEqual([])
    }
  })

  test('pages, with an exact hasMore and the whole count', async () => {
    const seen: string[] = []
    const page = async (number: number, limit: number) => {
      const { body } = await env.get(`/v1/messages?page=${number}&limit=${limit}`)
      expect(body).toMatchObject({ page: number, pageSize: limit, totalCount: 5 })
      seen.push(...body.data.map((it: Json) => it._id))
      return [body.data.length, body.hasMore]
    }
    expect(await page(0, 2)).toEqual([2, true])
    expect(await page(1, 2)).toEqual([2, true])
    expect(await page(2, 2)).toEqual([1, false])
    expect(new Set(seen).size).toBe(5)
    expect(await page(3, 2)).toEqual([0, false])
    expect(await page(0, 5)).toEqual([5, false])
    expect(await page(0, 4)).toEqual([4, true])
    expect(await page(0, 1000)).toEqual([5, false])
    expect(await page(123_456_789, 1000)).toEqual([0, false])
  })

  test.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=x',
    'page=-1',
    'page=1e3',
    'channel=fax',
    'channel=IN_APP',
    'channel=digest',
    'channel=constructor',
  ])('422: %s', async (query) => {
    const reply = await env.get(`/v1/messages?${query}`)
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors)).toEqual([query.split('=')[0]])
  })

  test('the workflow within is the version that was sent, as it stands today', async () => {
    const own = await h.environment()
    await makeWorkflow(own)
    await trigger(own, { to: 'ada' })
    await h.drain()
    const template = async () => (await own.get('/v1/messages')).body.data[0].template
    const standing = { deleted: false, deletedAt: '', deletedBy: '' }
    expect(await template()).toMatchObject({ name: 'hello', active: true, ...standing })
    await own.patch('/v2/workflows/hello', { active: false, name: 'Later' })
    expect(await template()).toMatchObject({ name: 'hello', active: false, deleted: false })
    await own.delete('/v2/workflows/hello')
    const gone = { deleted: true, deletedAt: expect.stringMatching(/Z$/), deletedBy: apiKeyId(own.key) }
    expect(await template()).toMatchObject({ active: false, ...gone })
  })
})

describe('DELETE /v1/messages/{messageId}', () => {
  test('takes it out of every list; its event stays and says what it can', async () => {
    const own = await h.environment()
    await makeWorkflow(own)
    await trigger(own, { to: ['ada', 'bob'] })
    await h.drain()
    const [gone, stays] = (await own.get('/v1/messages')).body.data
    const deleted = await own.delete(`/v1/messages/${gone._id}`)
    expect([deleted.status, deleted.body]).toEqual([200, { acknowledged: true, status: 'deleted' }])
    expect((await own.get('/v1/messages')).body.data.map((it: Json) => it._id)).toEqual([stays._id])
    const feed = await own.get(`/v1/subscribers/${gone.subscriber.subscriberId}/notifications/feed`)
    expect(feed.body).toMatchObject({ data: [], totalCount: 0 })
    const event = await own.get(`/v1/notifications/${gone._notificationId}`)
    expect(event.body.jobs).toMatchObject([{ status: 'completed', messages: [] }])
    const again = await own.delete(`/v1/messages/${gone._id}`)
    expect([again.status, again.body.code]).toEqual([404, 'message_not_found'])
  })

  test("404 for another environment's, an unknown one, and an id of any other shape", async () => {
    const other = await h.environment()
    const [message] = (await env.get('/v1/messages')).body.data
    const unknown = message._id.replace(/.{4}$/, '0000')
    for (const id of [message._id, unknown, 'x', `${message._id}x`, message._id.toUpperCase().slice(1)]) {
      expect((await other.delete(`/v1/messages/${id}`)).status, id).toBe(404)
    }
    expect((await env.delete(`/v1/messages/${unknown}`)).body.code).toBe('message_not_found')
    expect((await env.get('/v1/messages')).body.totalCount).toBe(5)
  })
})
