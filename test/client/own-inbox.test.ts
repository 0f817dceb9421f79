import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Counts,
  type Inbox,
  type InboxNotification,
  type InboxOptions,
  inbox,
  type Listener,
  TidingsError,
} from '../../packages/client/src/inbox/inbox.ts'
import { type Client, useHarness } from '../harness.ts'
import { startHttpReceiver } from '../peers/http-receiver.ts'
import { startTcpProxy } from '../peers/tcp-proxy.ts'
import { trigger } from '../pipeline.ts'
import { hashOf, identifierOf, makeOrderWorkflow, openInbox } from './inbox-session.ts'

/** Our own client for browsers against a running service. */
const h = useHarness({ INBOX_HASH: 'required' }, { worker: true })
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  h.ctx.clock = () => new Date()
  for (const run of cleanUps.splice(0).reverse()) await run()
})

async function start(): Promise<Client> {
  const env = await h.environment()
  await makeOrderWorkflow(env)
  return env
}

const order = (env: Client, n: number, more: object = {}) =>
  trigger(env, { name: 'order', to: 'ada', payload: { n, kind: n === 3 ? 'refund' : 'order' }, ...more })

async function inboxOf(env: Client, changes: Partial<InboxOptions> = {}): Promise<Inbox> {
  const applicationIdentifier = await identifierOf(env)
  const proof = { subscriberId: 'ada', subscriberHash: hashOf(env.key, 'ada') }
  return inbox({ url: h.url, applicationIdentifier, ...proof, ...changes })
}

const refusalOf = (call: Promise<unknown>): Promise<TidingsError> =>
  call.then(
    () => Promise.reject(new Error('not refused')),
    (error: unknown) => (error instanceof TidingsError ? error : Promise.reject(error)),
  )

describe('calls', () => {
  test('list, filters and counts', async () => {
    const env = await start()
    for (const n of [1, 2, 3]) await order(env, n)
    await h.drain()
    const mine = await inboxOf(env)
    const subjects = async (query: Parameters<Inbox['list']>[0]) =>
      (await mine.list(query)).data.map((it) => it.subject)

    const page = await mine.list({ limit: 2 })
    expect(page).toMatchObject({ hasMore: true, filter: {}, data: [{ subject: 'Order 3' }, { subject: 'Order 2' }] })
    expect(await subjects({ after: page.data[1]?.id ?? '' })).toEqual(['Order 1'])
    expect(await subjects({ data: { kind: 'refund' } })).toEqual(['Order 3'])
    expect(await subjects({ tags: ['orders', 'other'], severity: ['high', 'low'], read: false })).toHaveLength(3)
    expect(await subjects({ tags: ['other'] })).toEqual([])
    expect(await subjects({ severity: ['low'] })).toEqual([])
    expect(await subjects({ archived: true })).toEqual([])
    expect(await subjects({ seen: true })).toEqual([])
    expect(await mine.count([{ read: false }, { archived: true }, { data: { kind: 'refund' } }])).toMatchObject([
      { count: 3, filter: { read: false } },
      { count: 0 },
      { count: 1 },
    ])
  })

  test('every change of one notification', async () => {
    const env = await start()
    await order(env, 1)
    await h.drain()
    const mine = await inboxOf(env)
    const id = (await mine.list()).data[0]?.id ?? ''
    expect(await mine.read(id)).toMatchObject({ id, isRead: true })
    expect(await mine.unread(id)).toMatchObject({ isRead: false })
    expect(await mine.archive(id)).toMatchObject({ isArchived: true })
    expect(await mine.unarchive(id)).toMatchObject({ isArchived: false })
    expect(await mine.complete(id, 'primary')).toMatchObject({ primaryAction: { isCompleted: true } })
    expect(await mine.revert(id, 'primary')).toMatchObject({ primaryAction: { isCompleted: false } })
    expect(await mine.complete(id, 'secondary')).toMatchObject({ secondaryAction: { isCompleted: true } })
    const until = new Date(Date.now() + 3_600_000)
    expect(await mine.snooze(id, until)).toMatchObject({ isSnoozed: true, snoozedUntil: until.toISOString() })
    expect((await mine.list()).data).toEqual([])
    expect((await mine.list({ snoozed: true })).data).toHaveLength(1)
    expect(await mine.unsnooze(id)).toMatchObject({ isSnoozed: false })
    expect(await mine.snooze(id, until.toISOString())).toMatchObject({ isSnoozed: true })
    await mine.delete(id)
    expect((await mine.list({ snoozed: true })).data).toEqual([])
    const missing = await refusalOf(mine.read(id))
    expect(missing).toMatchObject({ status: 404, code: 'message_not_found', requestId: expect.any(String) })
  })

  test('every change of all', async () => {
    const env = await start()
    for (const n of [1, 2, 3]) await order(env, n)
    await h.drain()
    const mine = await inboxOf(env)
    const count = async (filter: Parameters<Inbox['count']>[0][number]) => (await mine.count([filter]))[0]?.count
    const [third] = (await mine.list()).data
    await mine.seen({ ids: [third?.id ?? ''] })
    expect(await count({ seen: true })).toBe(1)
    await mine.seen({ filter: { data: { kind: 'order' } } })
    expect(await count({ seen: true })).toBe(3)
    await mine.seen()
    await mine.readAll({ data: { kind: 'refund' }, tags: ['orders'] })
    expect(await count({ read: true })).toBe(1)
    await mine.archiveRead()
    expect(await count({ archived: true })).toBe(1)
    await mine.readAll()
    expect(await count({ read: false })).toBe(0)
    await mine.archiveAll()
    expect(await count({ archived: true })).toBe(3)
    await mine.deleteAll({ data: { kind: 'refund' } })
    expect(await count({ archived: true })).toBe(2)
    await mine.deleteAll()
    expect(await count({ archived: true })).toBe(0)
  })

  test('preferences, of all and of one workflow, and the schedule', async () => {
    const env = await start()
    const mine = await inboxOf(env)
    const [global, ...workflows] = await mine.preferences({ tags: ['orders'], criticality: 'all' })
    expect(global?.level).toBe('global')
    expect(workflows).toMatchObject([{ level: 'template', workflow: { identifier: 'order' } }])
    const weeklySchedule = { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } }
    const schedule = { isEnabled: true, weeklySchedule }
    expect(await mine.setPreferences({ email: false, schedule })).toMatchObject({ channels: { email: false } })
    expect(await mine.globalPreferences()).toMatchObject({ channels: { email: false }, schedule })
    expect(await mine.setWorkflowPreferences('order', { in_app: false })).toMatchObject({ channels: { in_app: false } })
  })

  test('subscriptions to topics', async () => {
    const mine = await inboxOf(await start())
    const condition = { '==': [{ var: 'payload.n' }, 7] }
    const made = await mine.subscribe('orders', { preferences: [{ workflowId: 'order', condition }] })
    expect(made).toMatchObject({ identifier: 'tk_orders:si_ada', preferences: [{ enabled: true, condition }] })
    const off = { preferences: [{ workflowId: 'order', enabled: false }] }
    expect(await mine.changeSubscription('orders', made.identifier, off)).toMatchObject({
      preferences: [{ enabled: false }],
    })
    expect(await mine.subscriptions('orders')).toHaveLength(1)
    await mine.unsubscribe('orders', made.id)
    expect(await mine.subscriptions('orders')).toEqual([])
  })

  test('what fails for a moment is tried again, the session too', async () => {
    const peer = await startHttpReceiver()
    cleanUps.push(peer.close)
    const busy = { status: 503, headers: { 'retry-after': '0' } }
    const answers = [
      busy,
      { status: 201, json: { data: { token: 't' } } },
      busy,
      { json: { data: [], hasMore: false } },
    ]
    peer.answer = () => answers[peer.requests.length - 1] ?? busy
    const mine = inbox({ url: peer.url, applicationIdentifier: 'te_x', subscriberId: 'ada' })
    expect(await mine.session()).toEqual({ token: 't' })
    expect(await mine.list()).toMatchObject({ hasMore: false })
    const paths = peer.requests.map(({ url }) => url.replace('/v1/inbox/', ''))
    expect(paths).toEqual(['session', 'session', 'notifications', 'notifications'])
  })

  test('an id that would lead elsewhere is never sent', async () => {
    const mine = inbox({ url: h.url, token: 'x' })
    for (const id of ['', '.', '..']) await expect(mine.delete(id)).rejects.toThrow(TypeError)
  })
})

/** How often each path was asked for. */
function countRequests(): string[] {
  const asked: string[] = []
  const real = globalThis.fetch
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    asked.push(new URL(String(input)).pathname)
    return real(input, init)
  })
  cleanUps.push(() => spy.mockRestore())
  return asked
}

describe('the session', () => {
  const sessions = (asked: string[]) => asked.filter((path) => path === '/v1/inbox/session').length

  test('opens with the first call, once for all that come together', async () => {
    const mine = await inboxOf(await start())
    const asked = countRequests()
    await Promise.all([mine.list(), mine.count([{}]), mine.session(), mine.preferences()])
    await mine.list()
    expect(sessions(asked)).toBe(1)
    expect(await mine.session()).toMatchObject({ token: expect.stringMatching(/^ti_/), totalUnreadCount: 0 })
  })

  test('is opened again, once, when its token has ended', async () => {
    const mine = await inboxOf(await start())
    await mine.list()
    h.ctx.clock = () => new Date(Date.now() + 16 * 24 * 3_600_000)
    const asked = countRequests()
    await Promise.all([mine.list(), mine.list(), mine.count([{}])])
    expect(sessions(asked)).toBe(1)
  })

  test('takes a profile, a context and its hash', async () => {
    const env = await start()
    await order(env, 1)
    await order(env, 2, { context: { tenant: 'acme' } })
    await h.drain()
    const context = { tenant: 'acme' }
    const subscriber = { subscriberId: 'ada', firstName: 'Ada' }
    const contextHash = hashOf(env.key, JSON.stringify(context))
    const mine = await inboxOf(env, { subscriber, context, contextHash })
    expect((await mine.list()).data).toMatchObject([{ subject: 'Order 2', to: { firstName: 'Ada' } }])
    expect((await mine.session()).contextKeys).toEqual(['tenant:acme'])
  })

  test('a wrong hash is told in the words of the service, and every call asks anew', async () => {
    const mine = await inboxOf(await start(), { subscriberHash: 'wrong' })
    const asked = countRequests()
    expect(await refusalOf(mine.list())).toMatchObject({ status: 400, code: 'hash_refused' })
    expect((await refusalOf(mine.list())).message).toContain('subscriberHash')
    expect(asked).toEqual(['/v1/inbox/session', '/v1/inbox/session'])
  })

  test('a token that somebody has already is used as it is, and not opened again', async () => {
    const env = await start()
    const { token } = await openInbox(env, 'ada')
    const asked = countRequests()
    const mine = inbox({ url: `${h.url}/`, token })
    expect(await mine.session()).toEqual({ token })
    expect((await mine.list()).data).toEqual([])
    h.ctx.clock = () => new Date(Date.now() + 16 * 24 * 3_600_000)
    expect((await refusalOf(mine.list())).status).toBe(401)
    expect(sessions(asked)).toBe(0)
  })
})

type Heard = {
  received: InboxNotification[]
  counts: Counts[]
  connected: number
  lost: { status: number; isFinal: boolean }[]
  stop(): void
}

function listen(mine: Inbox): Heard {
  const heard: Heard = { received: [], counts: [], connected: 0, lost: [], stop: () => {} }
  const listener: Listener = {
    received: (notification) => heard.received.push(notification),
    counts: (counts) => heard.counts.push(counts),
    connected: () => heard.connected++,
    disconnected: (error, { isFinal }) =>
      heard.lost.push({ status: error instanceof TidingsError ? error.status : -1, isFinal }),
  }
  heard.stop = mine.listen(listener)
  cleanUps.push(heard.stop)
  return heard
}

const soon = { timeout: 10_000 }
const severity = (high: number) => ({ high, medium: 0, low: 0, none: 0 })

describe('live', () => {
  test('what is new comes by itself, with the counts, over one connection for all who listen', async () => {
    const env = await start()
    const mine = await inboxOf(env)
    const asked = countRequests()
    const [first, second] = [listen(mine), listen(mine)]
    await expect.poll(() => first.counts.at(-1), soon).toEqual({ unread: 0, unseen: 0, severity: severity(0) })
    await order(env, 7)
    for (const heard of [first, second]) {
      await expect.poll(() => heard.received, soon).toMatchObject([{ subject: 'Order 7', isRead: false }])
      await expect.poll(() => heard.counts.at(-1)).toEqual({ unread: 1, unseen: 1, severity: severity(1) })
    }
    const late = listen(mine)
    await expect.poll(() => late.counts).toEqual([{ unread: 1, unseen: 1, severity: severity(1) }])
    await mine.read(first.received[0]?.id ?? '')
    await expect.poll(() => late.counts.at(-1), soon).toEqual({ unread: 0, unseen: 0, severity: severity(0) })
    expect(asked.filter((path) => path === '/v1/inbox/stream')).toHaveLength(1)
    expect([first, second, late].map(({ connected }) => connected)).toEqual([1, 1, 1])
  })

  test('a notification with the line separators of Unicode is reported', async () => {
    const env = await start()
    const heard = listen(await inboxOf(env))
    await expect.poll(() => heard.counts.length, soon).toBe(1)
    await trigger(env, { name: 'order', to: 'ada', payload: { n: 'a\u2028b\u2029c', kind: 'order' } })
    await expect.poll(() => heard.received, soon).toMatchObject([{ subject: 'Order a\u2028b\u2029c' }])
  })

  test('comes back by itself after a cut, and the counts are right', async () => {
    const env = await start()
    const proxy = await startTcpProxy(h.url)
    cleanUps.push(proxy.close)
    const heard = listen(await inboxOf(env, { url: proxy.url }))
    await expect.poll(() => heard.counts.length, soon).toBe(1)
    proxy.refuse()
    proxy.cut()
    await expect.poll(() => heard.lost, soon).toEqual([{ status: 0, isFinal: false }])
    await order(env, 1)
    await h.drain()
    proxy.leadTo(h.url)
    await expect.poll(() => heard.connected, { timeout: 15_000 }).toBe(2)
    await expect.poll(() => heard.counts.at(-1)?.unread, soon).toBe(1)
    expect(heard.lost).toHaveLength(1)
  })

  test('comes back to another node when its own ends', async () => {
    const env = await start()
    const dying = await h.node({ INBOX_HASH: 'required' })
    const proxy = await startTcpProxy(dying.url)
    cleanUps.push(proxy.close)
    const heard = listen(await inboxOf(env, { url: proxy.url }))
    await expect.poll(() => heard.counts.length, soon).toBe(1)
    proxy.leadTo(h.url)
    await dying.server.close()
    await expect.poll(() => heard.connected, { timeout: 15_000 }).toBe(2)
    await order(env, 2)
    await expect.poll(() => heard.received, soon).toMatchObject([{ subject: 'Order 2' }])
  })

  test('a connection that says nothing any more is dead', async () => {
    const env = await start()
    const proxy = await startTcpProxy(h.url)
    cleanUps.push(proxy.close)
    const heard = listen(await inboxOf(env, { url: proxy.url, silenceMs: 500 }))
    await expect.poll(() => heard.counts.length, soon).toBe(1)
    proxy.silence()
    await expect.poll(() => heard.lost, soon).toEqual([{ status: 0, isFinal: false }])
    await expect.poll(() => heard.connected, { timeout: 15_000 }).toBe(2)
  })

  test('a session that is refused ends it for good; who listens anew begins anew', async () => {
    const env = await start()
    const { body: made } = await env.post('/v1/environment/signing-secret')
    const secret = made.data.signingSecret
    const proxy = await startTcpProxy(h.url)
    cleanUps.push(proxy.close)
    const mine = await inboxOf(env, { url: proxy.url, subscriberHash: hashOf(secret, 'ada') })
    const heard = listen(mine)
    await expect.poll(() => heard.counts.length, soon).toBe(1)
    await env.post('/v1/environment/signing-secret')
    // Every node knows within 5 s.
    await expect.poll(async () => (await refusalOf(mine.list())).status, { timeout: 10_000, interval: 500 }).toBe(400)
    proxy.cut()
    await expect.poll(() => heard.lost.at(-1), soon).toEqual({ status: 400, isFinal: true })
    const tries = proxy.total
    const again = listen(mine)
    await expect.poll(() => again.lost, soon).toEqual([{ status: 400, isFinal: true }])
    expect(proxy.total).toBeLessThanOrEqual(tries + 1)
  })

  test('after a refusal it does not ask again', async () => {
    const peer = await startHttpReceiver()
    cleanUps.push(peer.close)
    peer.answer = { status: 401 }
    const heard = listen(inbox({ url: peer.url, token: 'x' }))
    await expect.poll(() => heard.lost, soon).toEqual([{ status: 401, isFinal: true }])
    // Longer than the longest first wait.
    await sleep(2_500)
    expect(peer.requests).toHaveLength(1)
  })

  test('a person who is deleted is not made anew by the pages that lie open', async () => {
    const env = await start()
    const mine = await inboxOf(env)
    const heard = listen(mine)
    await expect.poll(() => heard.counts.length, soon).toBe(1)
    await env.delete('/v2/subscribers/ada')
    await expect.poll(() => heard.lost.at(-1), soon).toEqual({ status: 401, isFinal: true })
    expect(await refusalOf(mine.list())).toMatchObject({ status: 401, code: 'person_deleted' })
    expect((await env.get('/v2/subscribers/ada')).status).toBe(404)
  })

  test('a page that is no stream is no connection', async () => {
    const portal = createServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html').end('<p>Sign in to this network</p>')
    })
    await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve))
    cleanUps.push(() => portal.close())
    const url = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`
    const heard = listen(inbox({ url, token: 'x' }))
    await expect.poll(() => heard.lost, soon).toEqual([{ status: 0, isFinal: false }])
    expect(heard.connected).toBe(0)
  })

  test('nothing comes after stop, and nothing is left open', async () => {
    const env = await start()
    const proxy = await startTcpProxy(h.url)
    cleanUps.push(proxy.close)
    const mine = await inboxOf(env, { url: proxy.url })
    const heard = listen(mine)
    await expect.poll(() => heard.counts.length, soon).toBe(1)
    const timers = process.getActiveResourcesInfo().filter((it) => it === 'Timeout').length
    heard.stop()
    heard.stop()
    expect(process.getActiveResourcesInfo().filter((it) => it === 'Timeout').length).toBeLessThanOrEqual(timers)
    await order(env, 1)
    await h.drain()
    expect(heard).toMatchObject({ received: [], lost: [], connected: 1 })
    const again = listen(mine)
    await expect.poll(() => again.counts.at(-1)?.unread, soon).toBe(1)
  })
})
