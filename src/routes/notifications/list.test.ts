import { beforeAll, describe, expect, test } from 'vitest'
import { unique } from '../../../test/fixture-makers.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, subscribe, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const inApp = { name: 'Inbox', type: 'in_app', controlValues: { body: 'x' } }
const mail = { name: 'Mail', type: 'email', controlValues: { subject: 'x', body: 'x' } }
const sms = { name: 'SMS', type: 'sms', controlValues: { body: 'x' } }

let env: Client
const times: Record<string, string> = {}
const templates: Record<string, string> = {}

beforeAll(async () => {
  env = await h.environment()
  await makeWorkflow(env, 'loud', { steps: [inApp], severity: 'high' })
  await makeWorkflow(env, 'quiet', { steps: [mail, inApp, sms], severity: 'low' })
  await makeWorkflow(env, 'plain', { steps: [sms] })
  await makeSubscribers(env, ['bob'])
  await env.post('/v2/topics', { key: 'empty' })
  await env.post('/v2/subscribers', { subscriberId: 'ada', email: 'ada@example.com' })
  await env.patch('/v2/subscribers/bob', { email: 'bob_1@example.com' })
  await subscribe(env, 'news', ['ada', 'bob'])
  await subscribe(env, 'sport', ['bob'])
  const news = { type: 'Topic', topicKey: 'news' }
  const events = [
    { name: 'loud', to: 'ada', transactionId: 't-1', context: { team: 't1' } },
    { name: 'quiet', to: news, transactionId: 't-2' },
    { name: 'loud', to: 'eve', transactionId: 't-3', context: { team: 't1', project: 'p1' } },
    { name: 'plain', to: { type: 'Topic', topicKey: 'sport' }, transactionId: 't-4' },
  ]
  for (const event of events) {
    await trigger(env, event)
    await h.drain()
  }
  for (const it of (await env.get('/v1/notifications')).body.data) {
    times[it.transactionId] = it.createdAt
    templates[it.template.name] = it._templateId
  }
})

/** As transaction/person, newest event first. */
async function listed(query: string, from = env): Promise<string[]> {
  const { status, body } = await from.get(`/v1/notifications?${query}`)
  expect(status, query).toBe(200)
  expect(Object.keys(body).toSorted()).toEqual(['data', 'hasMore', 'page', 'pageSize'])
  const created = body.data.map((it: Json) => it.createdAt)
  expect(created).toEqual(created.toSorted().toReversed())
  return body.data.map((it: Json) => `${it.transactionId}/${it.subscriber.subscriberId}`).toSorted()
}
const everything = ['t-1/ada', 't-2/ada', 't-2/bob', 't-3/eve', 't-4/bob']
const loud = ['t-1/ada', 't-3/eve']
const quiet = ['t-2/ada', 't-2/bob']

describe('GET /v1/notifications: filters', () => {
  test.each<[string, string[]]>([
    ['', everything],
    ['channels=in_app', [...loud.slice(0, 1), ...quiet, 't-3/eve']],
    ['channels=email', quiet],
    ['channels=sms', [...quiet, 't-4/bob']],
    ['channels=email&channels=sms', [...quiet, 't-4/bob']],
    ['channels[]=chat', []],
    ['channels=fax', []],
    ['emails=ada@example.com', ['t-1/ada', 't-2/ada']],
    ['emails=ada@example.com&emails=bob_1@example.com', ['t-1/ada', 't-2/ada', 't-2/bob', 't-4/bob']],
    ['emails=ada@example', []],
    ['emails=ADA@example.com', []],
    ['subscriberIds=eve', ['t-3/eve']],
    ['subscriberIds=eve&subscriberIds=ada', ['t-1/ada', 't-2/ada', 't-3/eve']],
    ['subscriberIds=nobody', []],
    ['severity=high', loud],
    ['severity=low&severity=none', [...quiet, 't-4/bob']],
    ['severity=medium', []],
    ['severity=HIGH', []],
    ['transactionId=t-2', quiet],
    ['transactionId=none', []],
    ['topicKey=news', quiet],
    ['topicKey=sport', ['t-4/bob']],
    ['topicKey=empty', []],
    ['topicKey=none', []],
    ['contextKeys=team:t1', ['t-1/ada']],
    ['contextKeys=team:t1&contextKeys=project:p1', ['t-3/eve']],
    ['contextKeys=project:p1', []],
    ['search=ada@ex', ['t-1/ada', 't-2/ada']],
    ['search=example.com', ['t-1/ada', 't-2/ada', 't-2/bob', 't-4/bob']],
    ['search=eve', ['t-3/eve']],
    ['search=ev', []],
    ['search=t-2', quiet],
    ['search=t-', []],
    ['search=bob_', ['t-2/bob', 't-4/bob']],
    ['search=%25', []],
    ['search=_', ['t-2/bob', 't-4/bob']],
    ['search=', everything],
    ['templates=none', []],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  test('outcome: those with a step that ended so', async () => {
    const own = await h.environment()
    const wait = { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } }
    await makeWorkflow(own, 'fails', { steps: [inApp, mail] })
    await makeWorkflow(own, 'waits', { steps: [wait, inApp] })
    await makeWorkflow(own, 'skips', { steps: [inApp, { ...inApp, name: 'Off', active: false }] })
    await own.post('/v2/subscribers', { subscriberId: 'ada', email: 'ada@example.com' })
    for (const name of ['fails', 'waits', 'skips', 'fails']) {
      await trigger(own, { name, to: 'ada', transactionId: unique(name) })
      await h.drain()
    }
    await trigger(own, { name: 'waits', to: 'eve', transactionId: 'gone' })
    await h.drain()
    await own.delete('/v1/events/trigger/gone')
    const found = async (query: string) =>
      (await listed(query, own)).map((it) => it.replace(/-[^/]*\//, '/')).toSorted()
    expect(await found('outcome=failed')).toEqual(['fails/ada', 'fails/ada'])
    expect(await found('outcome=skipped')).toEqual(['skips/ada'])
    expect(await found('outcome=waiting')).toEqual(['waits/ada'])
    expect(await found('outcome=canceled')).toEqual(['gone/eve'])
    expect(await found('outcome=merged')).toEqual([])
    expect(await found('outcome=failed&subscriberIds=eve')).toEqual([])
    const first = (await own.get('/v1/notifications?outcome=failed&limit=1')).body
    const second = (await own.get('/v1/notifications?outcome=failed&limit=1&page=1')).body
    expect([first.hasMore, second.hasMore]).toEqual([true, false])
    expect(first.data[0].createdAt > second.data[0].createdAt).toBe(true)
    expect(await found(`outcome=failed&before=${second.data[0].createdAt}`)).toEqual(['fails/ada'])
    expect((await own.get('/v1/notifications?outcome=completed')).status).toBe(422)
  })

  test('templates', async () => {
    expect(await listed(`templates=${templates.loud}`)).toEqual(loud)
    expect(await listed(`templates=${templates.loud}&templates=${templates.plain}`)).toEqual([...loud, 't-4/bob'])
    expect(await listed(`templates=${templates.quiet}&templates=no-id`)).toEqual(quiet)
    expect(await listed(`templates=${env.environmentId}`)).toEqual([])
  })

  test.each<[string, string[]]>([
    ['channels=sms&subscriberIds=bob', ['t-2/bob', 't-4/bob']],
    ['channels=sms&subscriberIds=bob&severity=none', ['t-4/bob']],
    ['topicKey=news&emails=ada@example.com&severity=low&channels=email', ['t-2/ada']],
    ['topicKey=news&severity=high', []],
    ['transactionId=t-2&subscriberIds=bob', ['t-2/bob']],
    ['transactionId=t-2&subscriberIds=eve', []],
    ['transactionId=none&topicKey=news', []],
    ['search=example&transactionId=t-4', ['t-4/bob']],
    ['contextKeys=team:t1&subscriberIds=eve', []],
    ['emails=ada@example.com&subscriberIds=bob', []],
  ])('different ones must all hold: %s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  test('after and before are inclusive, to the millisecond', async () => {
    const later = (at: string | undefined, ms: number) => new Date(Date.parse(at ?? '') + ms).toISOString()
    expect(await listed(`after=${times['t-3']}`)).toEqual(['t-3/eve', 't-4/bob'])
    expect(await listed(`after=${later(times['t-3'], 1)}`)).toEqual(['t-4/bob'])
    expect(await listed(`before=${times['t-2']}`)).toEqual(['t-1/ada', ...quiet])
    expect(await listed(`before=${later(times['t-2'], -1)}`)).toEqual(['t-1/ada'])
    expect(await listed(`after=${times['t-2']}&before=${times['t-2']}`)).toEqual(quiet)
    expect(await listed(`after=${times['t-3']}&before=${times['t-2']}`)).toEqual([])
    expect(await listed(`after=${times['t-2']}&subscriberIds=bob&channels=email`)).toEqual(['t-2/bob'])
  })

  test.each([
    '2020-02-29',
    '2020-02-29T12:00',
    '2020-02-29T12:00:00',
    '2020-02-29T12:00:00.1234Z',
    '2020-02-29T12:00:00%2B02:00',
    '1970-01-01T00:00:00%2B14:00',
    '1969-12-31T23:59:59Z',
    '1600-02-29',
    '0001-01-01T00:00:00Z',
    '0000-01-01',
  ])('a time may be written as %s', async (time) => {
    expect(await listed(`after=${time}`)).toEqual(everything)
    expect(await listed(`before=${time}`)).toEqual([])
  })

  test.each([
    'yesterday',
    '1700000000',
    '2026-13-01',
    '2026-02-30',
    '2025-02-29T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T12',
    '2026-01-01T12:00:60Z',
    '2026-01-01%2012:00',
    '2026-01-01T12:00:00%2B99:00',
    '%2B275760-09-13T00:00:00Z',
  ])('422 for a time that is %s', async (time) => {
    for (const field of ['after', 'before']) {
      const reply = await env.get(`/v1/notifications?${field}=${time}`)
      expect(reply.status, field).toBe(422)
      expect(Object.keys(reply.body.errors)).toEqual([field])
    }
  })

  test('events of one bulk, made in the same millisecond, are told apart', async () => {
    const own = await h.environment()
    await makeWorkflow(own)
    const events = ['a', 'b', 'c'].map((to) => ({ name: 'hello', to, transactionId: `of-${to}` }))
    await own.post('/v1/events/trigger/bulk', { events })
    await h.drain()
    expect(await listed('', own)).toEqual(['of-a/a', 'of-b/b', 'of-c/c'])
    expect(await listed('transactionId=of-b', own)).toEqual(['of-b/b'])
    expect(await listed('search=of-c', own)).toEqual(['of-c/c'])
  })

  test('another environment has none of them, by whatever filter', async () => {
    const other = await h.environment()
    await other.post('/v2/subscribers', { subscriberId: 'ada', email: 'ada@example.com' })
    await other.post('/v2/topics/news/subscriptions', { subscriptions: ['ada'] })
    const filters = ['subscriberIds=ada', 'emails=ada@example.com', 'topicKey=news', 'transactionId=t-1', 'search=t-1']
    for (const query of ['', ...filters, 'channels=in_app', `templates=${templates.loud}`, 'contextKeys=team:t1']) {
      expect(await listed(query, other), query).toEqual([])
    }
  })
})

describe('GET /v1/notifications: pages', () => {
  test('hasMore is exact', async () => {
    const page = async (number: number, limit: number, filter = '') => {
      const { body } = await env.get(`/v1/notifications?page=${number}&limit=${limit}${filter}`)
      expect(body).toMatchObject({ page: number, pageSize: limit })
      return [body.data.length, body.hasMore]
    }
    expect(await page(0, 2)).toEqual([2, true])
    expect(await page(1, 2)).toEqual([2, true])
    expect(await page(2, 2)).toEqual([1, false])
    expect(await page(3, 2)).toEqual([0, false])
    expect(await page(0, 4)).toEqual([4, true])
    expect(await page(0, 5)).toEqual([5, false])
    expect(await page(0, 50)).toEqual([5, false])
    expect(await page(0, 1, '&topicKey=news')).toEqual([1, true])
    expect(await page(1, 1, '&topicKey=news')).toEqual([1, false])
    expect(await page(987_654_321, 50)).toEqual([0, false])
  })

  test.each(['limit=0', 'limit=51', 'limit=-1', 'limit=x', 'page=-1', 'page=0.5'])('422: %s', async (query) => {
    const reply = await env.get(`/v1/notifications?${query}`)
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors)).toEqual([query.split('=')[0]])
  })
})
