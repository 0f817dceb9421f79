import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inbox } from '../../packages/client/src/inbox/inbox.ts'
import {
  contextHash,
  type RetryOptions,
  subscriberHash,
  TidingsError,
  tidings,
} from '../../packages/client/src/tidings.ts'
import { useHarness } from '../harness.ts'
import { type HttpReceiver, type Scripted, startHttpReceiver } from '../peers/http-receiver.ts'
import { startTcpProxy } from '../peers/tcp-proxy.ts'
import { makeWorkflow } from '../pipeline.ts'
import { hashOf } from './inbox-session.ts'

/** Our own client for servers against a running service, and against one that plays a bad one. */
const h = useHarness({ INBOX_HASH: 'required' }, { worker: true })
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const run of cleanUps.splice(0)) await run()
})

async function start(url = h.url) {
  const env = await h.environment()
  await makeWorkflow(env)
  return { env, client: tidings({ url, key: env.key }) }
}

/** One that speaks another product's dialect to others: our client is answered as ever. */
let dialectUrl = ''
beforeAll(async () => {
  dialectUrl = (await h.node({ VENDOR_NAMES: 'novu' })).url
})

const refusalOf = (call: Promise<unknown>): Promise<TidingsError> =>
  call.then(
    () => Promise.reject(new Error('not refused')),
    (error: unknown) => (error instanceof TidingsError ? error : Promise.reject(error)),
  )

describe.each([{ dialect: false }, { dialect: true }])('calls, dialect: $dialect', ({ dialect }) => {
  test('events: one, many, to everybody, canceled and explained', async () => {
    const { client } = await start(dialect ? dialectUrl : h.url)
    const ada = { subscriberId: 'ada', firstName: 'Ada' }
    const one = await client.trigger({ name: 'hello', to: ada, payload: { n: 1 } })
    expect(one).toMatchObject({ acknowledged: true, status: 'processed', transactionId: expect.any(String) })
    const many = await client.triggerBulk([
      { name: 'hello', to: 'ada' },
      { name: 'hello', to: ['ada', { type: 'Topic', topicKey: 'nobody' }] },
    ])
    expect(many.map((it) => it.status)).toEqual(['processed', 'processed'])
    expect(await client.broadcast({ name: 'hello' })).toMatchObject({ status: 'processed' })
    await h.drain()
    expect((await client.subscribers.notifications('ada')).data).toHaveLength(4)
    expect(await client.cancel(one.transactionId ?? '')).toMatchObject({ canceled: 0 })
    expect((await client.explain({ name: 'hello', to: 'ada' })).recipients).toMatchObject([{ subscriberId: 'ada' }])
    const [activity] = (await client.notifications.list({ transactionId: one.transactionId ?? '' })).data
    expect(await client.notifications.get(activity?._id ?? '')).toMatchObject({ transactionId: one.transactionId })
    expect(await client.notifications.messages(activity?._id ?? '')).toHaveLength(1)
    const [message] = (await client.messages.list({ channel: 'in_app', limit: 1 })).data
    expect(await client.messages.delete(message?._id ?? '')).toMatchObject({ acknowledged: true })
  })

  test('people, topics and preferences', async () => {
    const { client } = await start(dialect ? dialectUrl : h.url)
    const { subscribers, topics } = client
    expect(await subscribers.create({ subscriberId: 'ada', email: 'ada@example.com' })).toMatchObject({
      subscriberId: 'ada',
    })
    expect(await subscribers.createMany([{ subscriberId: 'bob' }, { subscriberId: 'a/b?c d' }])).toMatchObject({
      failed: [],
    })
    expect(await subscribers.get('a/b?c d')).toMatchObject({ subscriberId: 'a/b?c d' })
    expect(await subscribers.update('bob', { firstName: 'Bob' })).toMatchObject({ firstName: 'Bob' })
    expect((await subscribers.list({ search: 'bob' })).data).toMatchObject([{ subscriberId: 'bob' }])
    await subscribers.setPreferences('ada', { channels: { email: false } })
    expect((await subscribers.preferences('ada')).global.channels.email).toBe(false)

    await topics.create({ key: 'news', name: 'News' })
    expect((await topics.subscribe('news', ['ada', 'bob'])).meta).toMatchObject({ successful: 2 })
    expect((await topics.subscriptions('news')).data).toHaveLength(2)
    expect((await topics.unsubscribe('news', ['bob'])).meta).toMatchObject({ successful: 1 })
    expect(await topics.update('news', { name: 'Old news' })).toMatchObject({ name: 'Old news' })
    expect(await topics.get('news')).toMatchObject({ key: 'news' })
    expect((await topics.list()).data).toHaveLength(1)
    await topics.delete('news')
    await subscribers.delete('ada')
    expect(await refusalOf(subscribers.get('ada'))).toMatchObject({ status: 404, code: 'subscriber_not_found' })
  })

  test('workflows, integrations, the environment, and any other operation by its name', async () => {
    const { client, env } = await start(dialect ? dialectUrl : h.url)
    const { workflows, integrations } = client
    const steps = [{ name: 'Mail', type: 'email' as const, controlValues: { subject: 'x', body: 'x' } }]
    await workflows.create({ workflowId: 'mail', name: 'Mail', steps })
    expect(await workflows.update('mail', { active: false })).toMatchObject({ active: false })
    expect(await workflows.replace('mail', { name: 'Post', steps })).toMatchObject({ name: 'Post' })
    expect((await workflows.list({ query: 'Post' })).workflows).toHaveLength(1)
    expect(await workflows.delete('mail')).toBeUndefined()
    expect(await refusalOf(workflows.get('mail'))).toMatchObject({ code: 'workflow_not_found' })

    const credentials = { apiKey: 'SG.secret-secret' }
    const made = await integrations.create({ providerId: 'sendgrid', channel: 'email', active: true, credentials })
    expect(await integrations.update(made._id, { name: 'Post' })).toMatchObject({ name: 'Post' })
    expect(await integrations.setPrimary(made._id)).toMatchObject({ primary: true })
    expect((await integrations.list()).map((it) => it.providerId)).toContain('sendgrid')
    await integrations.delete(made._id)

    expect(await client.environment()).toMatchObject({ _id: env.environmentId, identifier: expect.any(String) })
    const tenant = await client.request('POST /v1/tenants', { body: { identifier: 'acme', name: 'Acme' } })
    expect(tenant).toMatchObject({ identifier: 'acme' })
    const path = { identifier: 'acme' }
    expect(await client.request('GET /v1/tenants/{identifier}', { path })).toMatchObject({ name: 'Acme' })
    expect((await client.request('GET /v1/api-keys')).data).toHaveLength(1)
  })

  test('a refusal names the fields that are wrong', async () => {
    const { client } = await start(dialect ? dialectUrl : h.url)
    const error = await refusalOf(client.subscribers.create({ subscriberId: 'ada', email: 'x'.repeat(2_000) }))
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', body: { statusCode: 422 } })
    expect(error.fields.email?.[0]).toEqual(expect.any(String))
    expect(error.message).toContain('email')
    const stranger = tidings({ url: h.url, key: 'td_no' })
    expect(await refusalOf(stranger.environment())).toMatchObject({ status: 401, code: 'unauthorized', fields: {} })
  })

  test('hashes open an inbox', async () => {
    const { client, env } = await start(dialect ? dialectUrl : h.url)
    const context = { tenant: { id: 'ä"\\', data: { z: [1, null], a: true } }, app: 'web' }
    expect(await subscriberHash(env.key, 'ada')).toBe(hashOf(env.key, 'ada'))
    const { identifier } = await client.environment()
    const mine = inbox({
      url: h.url,
      applicationIdentifier: identifier,
      subscriberId: 'ada',
      subscriberHash: await subscriberHash(env.key, 'ada'),
      context,
      contextHash: await contextHash(env.key, context),
    })
    expect((await mine.session()).contextKeys).toEqual(['app:web', 'tenant:ä"\\'])
  })
})

describe('once', () => {
  test('an event whose first reply was lost is delivered once', async () => {
    const { env } = await start()
    const proxy = await startTcpProxy(h.url)
    cleanUps.push(proxy.close)
    const client = tidings({ url: proxy.url, key: env.key })
    proxy.loseReply()
    const { transactionId } = await client.trigger({ name: 'hello', to: 'ada' })
    expect(proxy.total).toBe(2)
    await h.drain()
    const { data } = await client.messages.list({ subscriberId: 'ada' })
    expect(data.map((it) => it.transactionId)).toEqual([transactionId])
  })

  test('a key of the caller holds over several calls', async () => {
    const { client } = await start()
    const event = { name: 'hello', to: 'ada' }
    const first = await client.trigger(event, { idempotencyKey: 'order-1' })
    expect(await client.trigger(event, { idempotencyKey: 'order-1' })).toEqual(first)
    const other = await client.trigger(event)
    expect(other.transactionId).not.toBe(first.transactionId)
  })
})

const ok: Scripted = { status: 201, json: { acknowledged: true, status: 'processed' } }

/** A server that answers so, one after the other; the last again and again. */
async function badServer(...answers: Scripted[]) {
  const peer = await startHttpReceiver()
  cleanUps.push(peer.close)
  peer.answer = () => answers[Math.min(peer.requests.length, answers.length) - 1] ?? ok
  return peer
}

const trigger = (peer: HttpReceiver, retry: Partial<RetryOptions> = {}, options = {}) =>
  tidings({ url: peer.url, key: 'k', retry }).trigger({ name: 'hello', to: 'ada' }, options)
const keysOf = (peer: HttpReceiver) => new Set(peer.requests.map((it) => it.headers['idempotency-key']))

describe('a bad server', () => {
  test('503 twice, then it is done, under one key', async () => {
    const peer = await badServer({ status: 503 }, { status: 502 }, ok)
    expect(await trigger(peer)).toMatchObject({ acknowledged: true })
    expect(peer.requests).toHaveLength(3)
    expect([...keysOf(peer)]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
    await trigger(peer)
    expect(keysOf(peer).size).toBe(2)
  })

  test.each<Scripted>(['accept then reset', 'cut body', 'hang'])(
    '%s: tried again under the same key',
    async (fault) => {
      const peer = await badServer(fault, ok)
      expect(await trigger(peer, { timeoutMs: 1_500 })).toMatchObject({ acknowledged: true })
      expect(peer.requests).toHaveLength(2)
      expect(keysOf(peer).size).toBe(1)
    },
  )

  test('a first try that still runs is waited for', async () => {
    const peer = await badServer({ status: 409, json: { code: 'request_in_flight' } }, ok)
    expect(await trigger(peer)).toMatchObject({ acknowledged: true })
  })

  test.each([
    ['seconds', () => '1', 1_000],
    // A date has no milliseconds.
    ['a date', () => new Date(Date.now() + 2_000).toUTCString(), 900],
  ])('Retry-After in %s is kept', async (_what, retryAfter, leastMs) => {
    const peer = await badServer({ status: 429, headers: { 'retry-after': retryAfter() } }, ok)
    const startedAt = performance.now()
    await trigger(peer)
    expect(performance.now() - startedAt).toBeGreaterThan(leastMs)
    expect(peer.requests).toHaveLength(2)
  })

  test('one that asks for more time than there is: told at once', async () => {
    const peer = await badServer({ status: 429, headers: { 'retry-after': '3600' }, json: { code: 'backlog_full' } })
    const error = await refusalOf(trigger(peer))
    expect(error).toMatchObject({ status: 429, code: 'backlog_full', retryAfterMs: 3_600_000 })
    expect(peer.requests).toHaveLength(1)
  })

  test('tries and time are limited', async () => {
    const down = await badServer({ status: 503 })
    expect(await refusalOf(trigger(down, { attempts: 3 }))).toMatchObject({ status: 503 })
    expect(down.requests).toHaveLength(3)
    const hanging = await badServer('hang')
    const startedAt = performance.now()
    const error = await refusalOf(trigger(hanging, { deadlineMs: 600, timeoutMs: 60_000 }))
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(error).toMatchObject({ status: 0, message: expect.stringContaining('no answer from') })
    await down.close()
    expect((await refusalOf(trigger(down, { attempts: 2 }))).message).toMatch(/ECONNREFUSED/)
  })

  test.each([400, 401, 404, 409, 422, 500])('%s is not tried again', async (status) => {
    const peer = await badServer({ status, json: { message: 'No.' } })
    expect(await refusalOf(trigger(peer))).toMatchObject({ status, message: 'No.' })
    expect(peer.requests).toHaveLength(1)
  })

  test('who gives up is not kept waiting', async () => {
    const peer = await badServer({ status: 503, headers: { 'retry-after': '20' } })
    const signal = AbortSignal.timeout(300)
    await expect(trigger(peer, {}, { signal })).rejects.toThrow(/aborted/)
    expect(peer.requests).toHaveLength(1)
    const hanging = await badServer('hang')
    await expect(trigger(hanging, {}, { signal: AbortSignal.timeout(300) })).rejects.toThrow(/aborted/)
  })

  test('a page in place of JSON is an error', async () => {
    const peer = await badServer({ status: 200, body: '<p>Hello</p>' })
    expect((await refusalOf(trigger(peer))).message).toContain('not JSON')
  })

  test.each([301, 302, 307, 308])(
    'a redirect with %s is not followed: it could lose the key or the body',
    async (status) => {
      const elsewhere = await badServer({ json: { data: [] } })
      const peer = await badServer({ status, headers: { location: `${elsewhere.url}/v1/events/trigger?a=1` } })
      const error = await refusalOf(trigger(peer))
      expect(error).toMatchObject({ status, message: expect.stringContaining(`redirects to ${elsewhere.url}/v1`) })
      expect(error.message).not.toContain('a=1')
      expect([peer.requests.length, elsewhere.requests.length]).toEqual([1, 0])
    },
  )

  test('a call that cannot be sent fails at once, and is not called unanswered', async () => {
    const peer = await badServer(ok)
    const client = tidings({ url: peer.url, key: 'k' })
    const startedAt = performance.now()
    const unsendable = client.trigger({ name: 'hello', to: 'ada', payload: { n: 1n } })
    await expect(unsendable).rejects.toThrow(TypeError)
    await expect(trigger(peer, {}, { idempotencyKey: 'a\nb' })).rejects.toThrow(TypeError)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(peer.requests).toHaveLength(0)
  })

  test('reading sends no key', async () => {
    const peer = await badServer({ status: 503 }, { json: [] })
    await tidings({ url: peer.url, key: 'k' }).integrations.list()
    expect([...keysOf(peer)]).toEqual([undefined])
  })
})
