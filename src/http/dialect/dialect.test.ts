import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { asOwn } from '../../../test/client/own-words.ts'
import { type Client, client, type Harness, type Json, sender, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, subscribe } from '../../../test/pipeline.ts'

const h = useHarness()
let dialect: Harness['send']

beforeAll(async () => {
  dialect = sender((await h.node({ VENDOR_NAMES: 'novu' })).url)
})

/** The same environment: asked in our words, and in the dialect. */
async function both(): Promise<{ ours: Client; theirs: Client }> {
  const ours = await h.environment()
  return { ours, theirs: { ...ours, ...client(dialect, ours.key) } }
}

/** So that a failure does not print a megabyte. */
function hashOf(told: Json): string {
  return createHash('sha256').update(JSON.stringify(told)).digest('hex')
}

describe('wrapping', () => {
  test('a resource, a list and a number are wrapped; what has a `data` and no id is not', async () => {
    const { ours, theirs } = await both()
    const profile = { subscriberId: 'ada', data: { plan: 'pro' } }
    const made = await theirs.post('/v2/subscribers', profile)
    expect(made).toMatchObject({ status: 201, body: { data: profile } })
    for (const path of ['/v2/subscribers/ada', '/v1/integrations', '/v2/subscribers/ada/preferences']) {
      expect((await theirs.get(path)).body).toEqual({ data: (await ours.get(path)).body })
    }
    for (const path of ['/v1/messages', '/v1/notifications', '/v2/topics', '/v1/tenants']) {
      const { body } = await theirs.get(path)
      expect(body).toEqual((await ours.get(path)).body)
      expect(body.data).toEqual([])
    }
    // Cursors are signed, but for the list they are the same.
    expect((await theirs.get('/v2/subscribers')).body).toEqual((await ours.get('/v2/subscribers')).body)
    expect((await theirs.get('/v2/workflows')).body).toEqual({ data: { workflows: [], totalCount: 0 } })
    const marked = await theirs.post('/v1/subscribers/ada/messages/mark-all', { markAs: 'read' })
    expect(marked.body).toEqual({ data: 0 })
    const bulk = await theirs.post('/v1/events/trigger/bulk', { events: [{ name: 'none', to: 'ada' }] })
    expect(bulk.body.data).toHaveLength(1)
  })

  test('errors and empty replies are not', async () => {
    const { theirs } = await both()
    const missing = await theirs.get('/v2/subscribers/nobody')
    expect(missing.body).toMatchObject({ statusCode: 404, code: 'subscriber_not_found' })
    expect(missing.body.data).toBeUndefined()
    expect((await dialect('GET', '/v2/topics')).body).toMatchObject({ statusCode: 401 })
    await theirs.post('/v2/subscribers', { subscriberId: 'ada' })
    const conflict = await theirs.post('/v2/subscribers?failIfExists=true', { subscriberId: 'ada' })
    expect(conflict.body).toMatchObject({ statusCode: 409, subscriberId: 'ada' })
    await makeWorkflow(theirs)
    expect(await theirs.delete('/v2/workflows/hello')).toMatchObject({ status: 204, text: '' })
  })

  test('a reply kept under an idempotency key is kept as ours', async () => {
    const { ours, theirs } = await both()
    const headers = { 'idempotency-key': 'k' }
    const first = await theirs.post('/v2/topics', { key: 'news' }, headers)
    expect(first.body.data.key).toBe('news')
    expect((await theirs.post('/v2/topics', { key: 'news' }, headers)).text).toBe(first.text)
    const inOurs = await ours.post('/v2/topics', { key: 'news' }, headers)
    expect(inOurs.headers.get('idempotency-replay')).toBe('true')
    expect(inOurs.body).toEqual(first.body.data)
  })

  test('a large reply leaves while it is written, and is wrapped as well', async () => {
    const { ours, theirs } = await both()
    for (let n = 0; n < 12; n++) {
      const data = { providerId: 'platform', text: 'x'.repeat(60_000) }
      expect((await ours.post('/v2/subscribers', { subscriberId: `p${n}`, data })).status).toBe(201)
    }
    const list = await theirs.get('/v2/subscribers?limit=100')
    expect(list.headers.get('content-length')).toBeNull()
    expect(hashOf(list.text)).toBe(hashOf((await ours.get('/v2/subscribers?limit=100')).text))

    const steps = Array.from({ length: 10 }, (_, n) => ({
      stepId: `s${n}`,
      name: `S${n}`,
      type: 'in_app',
      controlValues: { body: 'x'.repeat(60_000) },
    }))
    await makeWorkflow(ours, 'large', { steps })
    const own = await ours.get('/v2/workflows/large')
    const wrapped = await theirs.get('/v2/workflows/large')
    expect(wrapped.headers.get('content-length')).toBeNull()
    const named = own.text.replaceAll('"origin":"platform-cloud"', '"origin":"novu-cloud"')
    expect(hashOf(wrapped.text)).toBe(hashOf(`{"data":${named}}`))

    const tags = Array.from({ length: 16 }, (_, n) => `${n}`.padEnd(32, 'y'))
    for (let n = 0; n < 99; n++) await makeWorkflow(ours, `w${n}`, { tags, steps: [] })
    const workflows = await theirs.get('/v2/workflows?limit=100')
    expect(Object.keys(workflows.body.data).sort()).toEqual(['totalCount', 'workflows'])
    expect(workflows.body.data.workflows).toHaveLength(100)
  })
})

test('cancel answers whether anything was stopped', async () => {
  const { ours, theirs } = await both()
  const steps = [{ name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'days' } }]
  await makeWorkflow(ours, 'later', { steps })
  const sent = await theirs.post('/v1/events/trigger', { name: 'later', to: 'ada', transactionId: 't1' })
  expect(sent.body).toEqual({ data: { acknowledged: true, status: 'processed', transactionId: 't1' } })
  expect((await theirs.delete('/v1/events/trigger/t1')).text).toBe('{"data":true}')
  expect((await theirs.delete('/v1/events/trigger/t1')).text).toBe('{"data":false}')
  expect((await ours.delete('/v1/events/trigger/t1')).body).toEqual({ acknowledged: true, canceled: 0 })
})

test("what callers write is nobody's to rename, both ways", async () => {
  const { ours, theirs } = await both()
  await makeWorkflow(ours)
  const own = { providerId: 'novu-email', origin: 'platform', list: [{ providerId: 'novu' }], data: { _id: 1 } }
  const event = { name: 'hello', to: 'ada', payload: own, overrides: { email: { customData: own } } }
  const { transactionId } = (await theirs.post('/v1/events/trigger', event)).body.data
  for (const env of [ours, theirs]) {
    const [found] = (await env.get(`/v1/notifications?transactionId=${transactionId}`)).body.data
    expect(found.payload).toEqual(own)
    const [message] = (await env.get(`/v1/messages?transactionId=${transactionId}`)).body.data
    expect(message.overrides).toMatchObject({ email: { customData: own } })
  }
})

test('a whole number may be written as `10.0`; text is left alone', async () => {
  const { ours, theirs } = await both()
  await makeSubscribers(ours, ['1.0', '1'])
  expect((await theirs.get('/v2/subscribers?limit=1.0')).body.data).toHaveLength(1)
  expect((await theirs.get('/v2/subscribers?subscriberId=1.0')).body.data).toMatchObject([{ subscriberId: '1.0' }])
  expect((await theirs.get('/v2/subscribers?limit=1.5')).status).toBe(422)
  expect((await ours.get('/v2/subscribers?limit=1.0')).status).toBe(422)
})

describe('who asks for it is answered as ever', () => {
  test('a session of the dashboard', async () => {
    const { ours, theirs } = await both()
    await theirs.post('/v1/integrations', { providerId: 'novu-email', channel: 'email' })
    const headers = { 'x-tidings-session': '1' }
    const signIn = await dialect('POST', '/session', { body: { key: ours.key }, headers })
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const found = await dialect('GET', '/v1/integrations', { headers: { ...headers, cookie } })
    expect(found.body).toMatchObject([{ providerId: 'platform-email' }])
    expect(found.text).toBe((await ours.get('/v1/integrations')).text)
  })

  test('a call with `tidings-replies: own`, in requests too', async () => {
    const { ours } = await both()
    const own = client(asOwn(dialect), ours.key)
    const made = await own.post('/v1/integrations', { providerId: 'novu-email', channel: 'email' })
    expect(made.body).toMatchObject({ providerId: 'novu-email' })
    expect((await own.delete('/v1/events/trigger/none')).body).toMatchObject({ canceled: 0 })
  })
})

test('without the setting no older address is there', async () => {
  const env = await h.environment()
  for (const path of ['/v1/subscribers', '/v1/topics', '/v1/subscribers/ada']) {
    expect((await env.get(path)).body.code).toBe('route_not_found')
  }
})

test('a topic of thousands shows its members', async () => {
  const { ours, theirs } = await both()
  const ids = Array.from({ length: 2_300 }, (_, n) => `p${n}`)
  await makeSubscribers(ours, ids)
  await subscribe(ours, 'all', ids)
  const { data } = (await theirs.get('/v1/topics/all')).body
  expect(hashOf(data.subscribers)).toBe(hashOf(ids))
})
