import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inbox } from '../../packages/client/src/inbox/inbox.ts'
import { createInboxStore, type InboxStore } from '../../packages/client/src/react/inbox-store.ts'
import { createShared } from '../../packages/client/src/react/shared.ts'
import { type UseInbox, useInbox } from '../../packages/client/src/react/use-inbox.ts'
import { type Client, useHarness } from '../harness.ts'
import { startTcpProxy } from '../peers/tcp-proxy.ts'
import { trigger } from '../pipeline.ts'
import { hashOf, identifierOf, makeOrderWorkflow } from './inbox-session.ts'

/** The list behind the React hook, against a running service. A browser runs the hook itself: browser/own-inbox.test.ts. */
const h = useHarness({ INBOX_HASH: 'required' }, { worker: true })
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const run of cleanUps.splice(0).reverse()) await run()
})
const soon = { timeout: 15_000 }

async function start(): Promise<Client> {
  const env = await h.environment()
  await makeOrderWorkflow(env)
  return env
}

async function order(env: Client, n: number): Promise<void> {
  await trigger(env, { name: 'order', to: 'ada', payload: { n, kind: n % 2 ? 'odd' : 'even' } })
}

async function orders(env: Client, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await order(env, n)
  await h.drain()
}

type Given = {
  url?: string
  pageSize?: number
  retry?: { attempts: number }
  filter?: Parameters<typeof createInboxStore>[0]['filter']
}

async function open(
  env: Client,
  { url = h.url, pageSize = 20, filter = {}, retry = { attempts: 5 } }: Given = {},
): Promise<InboxStore> {
  const proof = { subscriberId: 'ada', subscriberHash: hashOf(env.key, 'ada') }
  const own = inbox({ url, applicationIdentifier: await identifierOf(env), retry, ...proof })
  const store = createInboxStore({ inbox: own, filter, pageSize })
  store.start()
  cleanUps.push(store.stop)
  await expect.poll(() => store.getState().isConnected && !store.getState().isLoading, soon).toBe(true)
  return store
}

const subjects = (store: InboxStore) => store.getState().notifications.map((it) => it.subject)
const idAt = (store: InboxStore, place: number) => store.getState().notifications[place]?.id ?? ''

describe('the list', () => {
  test('is empty and loads at first; then it has the notifications and the count', async () => {
    const env = await start()
    await orders(env, 2)
    const proof = { subscriberId: 'ada', subscriberHash: hashOf(env.key, 'ada') }
    const own = inbox({ url: h.url, applicationIdentifier: await identifierOf(env), ...proof })
    const store = createInboxStore({ inbox: own, filter: {}, pageSize: 20 })
    expect(store.getState()).toMatchObject({ notifications: [], unreadCount: 0, isLoading: true, error: null })
    store.start()
    cleanUps.push(store.stop)
    await expect.poll(() => subjects(store), soon).toEqual(['Order 2', 'Order 1'])
    await expect.poll(() => store.getState().unreadCount, soon).toBe(2)
    expect(store.getState()).toMatchObject({ isLoading: false, hasMore: false, error: null })
  })

  test('shows a new notification, and a change in another window', async () => {
    const env = await start()
    const [here, elsewhere] = [await open(env), await open(env)]
    await order(env, 1)
    for (const store of [here, elsewhere]) {
      await expect.poll(() => subjects(store), soon).toEqual(['Order 1'])
      await expect.poll(() => store.getState().unreadCount, soon).toBe(1)
    }
    await here.read(idAt(here, 0))
    await expect.poll(() => elsewhere.getState().notifications[0]?.isRead, soon).toBe(true)
    await expect.poll(() => elsewhere.getState().unreadCount, soon).toBe(0)
    await here.archive(idAt(here, 0))
    await expect.poll(() => subjects(elsewhere), soon).toEqual([])
  })

  test('loads older notifications page by page, and stays whole when a new one arrives', async () => {
    const env = await start()
    await orders(env, 7)
    const store = await open(env, { pageSize: 3 })
    expect(subjects(store)).toEqual(['Order 7', 'Order 6', 'Order 5'])
    expect(store.getState().hasMore).toBe(true)
    await Promise.all([store.loadMore(), store.loadMore()])
    expect(subjects(store)).toHaveLength(6)
    await order(env, 8)
    await expect.poll(() => subjects(store)[0], soon).toBe('Order 8')
    expect(subjects(store)).toHaveLength(6)
    await store.loadMore()
    expect(subjects(store)).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((n) => `Order ${n}`))
    expect(store.getState()).toMatchObject({ hasMore: false, isLoadingMore: false })
  })

  test('has more than the service returns at once', { timeout: 120_000 }, async () => {
    const env = await start()
    const events = Array.from({ length: 100 }, (_, n) => ({ name: 'order', to: 'ada', payload: { n } }))
    await env.post('/v1/events/trigger/bulk', { events })
    await env.post('/v1/events/trigger/bulk', { events: events.slice(0, 30) })
    await h.drain()
    const store = await open(env, { pageSize: 120 })
    expect(new Set(store.getState().notifications.map(({ id }) => id)).size).toBe(120)
    await store.loadMore()
    expect(store.getState().notifications).toHaveLength(130)
  })
})

describe('actions', () => {
  test('show their effect at once, and keep it', async () => {
    const env = await start()
    await orders(env, 3)
    const store = await open(env)
    const seen: boolean[][] = []
    store.subscribe(() => seen.push(store.getState().notifications.map(({ isRead }) => isRead)))
    const reading = store.read(idAt(store, 0))
    expect(store.getState().notifications.map(({ isRead }) => isRead)).toEqual([true, false, false])
    await reading
    await expect.poll(() => store.getState().unreadCount, soon).toBe(2)
    await store.refresh()
    // An older list that was on its way never took the change back.
    expect(seen.filter(([first]) => first === false)).toEqual([])
    expect(seen.length).toBeGreaterThan(0)

    const archiving = store.archive(idAt(store, 1))
    expect(subjects(store)).toEqual(['Order 3', 'Order 1'])
    await archiving
    await store.refresh()
    expect(subjects(store)).toEqual(['Order 3', 'Order 1'])
  })

  test('each of them reaches the service', async () => {
    const env = await start()
    await orders(env, 3)
    const store = await open(env)
    const first = () => store.getState().notifications[0]
    const id = idAt(store, 0)
    await store.unread(id)
    await store.complete(id, 'primary')
    await expect.poll(() => first()?.primaryAction?.isCompleted, soon).toBe(true)
    await store.markSeen()
    await expect.poll(() => store.getState().notifications.every(({ isSeen }) => isSeen), soon).toBe(true)
    await store.snooze(id, new Date(Date.now() + 3_600_000))
    expect(subjects(store)).toEqual(['Order 2', 'Order 1'])
    await store.unsnooze(id)
    await expect.poll(() => subjects(store), soon).toContain('Order 3')
    await store.archive(id)
    await store.unarchive(id)
    await expect.poll(() => subjects(store), soon).toContain('Order 3')
    await store.delete(id)
    await store.refresh()
    expect(subjects(store)).toEqual(['Order 2', 'Order 1'])
    await store.readAll()
    await expect.poll(() => store.getState().unreadCount, soon).toBe(0)
    await store.archiveAll()
    await store.refresh()
    expect(subjects(store)).toEqual([])
  })

  test('are limited by the filter of the list', async () => {
    const env = await start()
    await orders(env, 4)
    const all = await open(env)
    const odd = await open(env, { filter: { data: { kind: 'odd' }, read: false } })
    expect(subjects(odd)).toEqual(['Order 3', 'Order 1'])
    await odd.readAll()
    expect(subjects(odd)).toEqual([])
    await expect
      .poll(() => all.getState().notifications.map((it) => it.isRead), soon)
      .toEqual([false, true, false, true])
    // The count is that of the whole inbox.
    await expect.poll(() => odd.getState().unreadCount, soon).toBe(2)
  })

  test.each(['one', 'all'])(
    'are made in the order in which they were asked for, after a change of %s',
    async (which) => {
      const env = await start()
      await orders(env, 1)
      const store = await open(env)
      const id = idAt(store, 0)
      const real = globalThis.fetch
      let refused = 0
      // The service is busy for the first change, which is repeated after a wait.
      const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
        const isBusy = new URL(String(input)).pathname.endsWith('/read') && refused++ === 0
        return isBusy ? new Response(null, { status: 503 }) : real(input, init)
      })
      cleanUps.push(() => fetching.mockRestore())
      await Promise.all([which === 'one' ? store.read(id) : store.readAll(), store.unread(id)])
      expect(refused).toBe(2)
      await store.refresh()
      expect(store.getState().notifications).toMatchObject([{ id, isRead: false }])
    },
  )

  test('one that fails takes its effect back, and rejects', async () => {
    const env = await start()
    await orders(env, 1)
    const store = await open(env)
    const [message] = (await env.get('/v1/messages?channel=in_app')).body.data
    await env.delete(`/v1/messages/${message._id}`)
    const [before] = store.getState().notifications
    const reading = store.read(before?.id ?? '')
    expect(store.getState().notifications[0]?.isRead).toBe(true)
    await expect(reading).rejects.toMatchObject({ status: 404 })
    expect(store.getState().notifications[0]?.isRead ?? false).toBe(false)
  })
})

describe('the connection', () => {
  test('is restored after a cut, and what arrived meanwhile is there', async () => {
    const env = await start()
    const proxy = await startTcpProxy(h.url)
    cleanUps.push(proxy.close)
    const store = await open(env, { url: proxy.url })
    proxy.refuse()
    proxy.cut()
    await expect.poll(() => store.getState().isConnected, soon).toBe(false)
    expect(store.getState().error).toMatchObject({ status: 0 })
    await orders(env, 1)
    proxy.leadTo(h.url)
    await expect.poll(() => subjects(store), { timeout: 30_000 }).toEqual(['Order 1'])
    await expect.poll(() => store.getState(), soon).toMatchObject({ isConnected: true, error: null, unreadCount: 1 })
  })

  test('a list that cannot be loaded keeps what was shown, and a change that was made', async () => {
    const env = await start()
    await orders(env, 1)
    const store = await open(env, { retry: { attempts: 1 } })
    await expect.poll(() => store.getState().unreadCount, soon).toBe(1)
    let isDown = true
    const real = globalThis.fetch
    const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const isList = new URL(String(input)).pathname === '/v1/inbox/notifications'
      return isDown && isList ? Promise.reject(new TypeError('the network is down')) : real(input, init)
    })
    cleanUps.push(() => fetching.mockRestore())
    await store.read(idAt(store, 0))
    await expect.poll(() => store.getState().error?.message, soon).toContain('the network is down')
    // Wait for the list after the change, too, which ends the preview of the change.
    await store.refresh()
    expect(store.getState()).toMatchObject({ isConnected: true, isLoading: false, notifications: [{ isRead: true }] })
    isDown = false
    await store.refresh()
    expect(store.getState()).toMatchObject({ error: null, notifications: [{ isRead: true }] })
  })

  test('a refused session is an error, and no endless loading', async () => {
    const env = await start()
    const own = inbox({
      url: h.url,
      applicationIdentifier: await identifierOf(env),
      subscriberId: 'ada',
      subscriberHash: 'wrong',
    })
    const store = createInboxStore({ inbox: own, filter: {}, pageSize: 20 })
    store.start()
    cleanUps.push(store.stop)
    await expect.poll(() => store.getState().isLoading, soon).toBe(false)
    expect(store.getState()).toMatchObject({ isConnected: false, error: { code: 'hash_refused' } })
    // Another attempt is refused as well, and ends.
    await store.refresh()
    expect(store.getState().error).toMatchObject({ code: 'hash_refused' })
  })
})

describe('sharing', () => {
  test('a value is created once, survives a remount in the same turn, and is closed after its last user', async () => {
    const closed: string[] = []
    let created = 0
    const shared = createShared<string>(
      (key) => `${key}${++created}`,
      (value) => closed.push(value),
    )
    expect([shared.acquire('a'), shared.acquire('a'), shared.acquire('b')]).toEqual(['a1', 'a1', 'b2'])
    shared.release('a')
    shared.release('a')
    expect(shared.acquire('a')).toBe('a1')
    shared.release('b')
    await vi.waitFor(() => expect(closed).toEqual(['b2']))
    expect([shared.peek('a'), shared.peek('b')]).toEqual(['a1', undefined])
    shared.release('a')
    await vi.waitFor(() => expect(closed).toEqual(['b2', 'a1']))
    expect(shared.acquire('a')).toBe('a3')
  })
})

describe('on a server', () => {
  const Bell = ({ url }: { url: string | undefined }) => {
    const { unreadCount, isLoading, notifications } = useInbox({
      url,
      applicationIdentifier: 'te_1',
      subscriberId: 'ada',
    })
    return createElement('p', null, `${isLoading ? 'loading' : 'loaded'} ${unreadCount} ${notifications.length}`)
  }

  test('the hook renders an empty list and requests nothing', () => {
    const fetching = vi.spyOn(globalThis, 'fetch')
    cleanUps.push(() => fetching.mockRestore())
    expect(renderToString(createElement(Bell, { url: h.url }))).toBe('<p>loading 0 0</p>')
    expect(fetching).not.toHaveBeenCalled()
  })

  test('before the component is mounted, loading does nothing and a change is refused', async () => {
    const fetching = vi.spyOn(globalThis, 'fetch')
    cleanUps.push(() => fetching.mockRestore())
    const options = { url: h.url, applicationIdentifier: 'te_1', subscriberId: 'ada' }
    for (const given of [options, null]) {
      let shown: UseInbox | undefined
      const Captured = () => {
        shown = useInbox(given)
        return null
      }
      renderToString(createElement(Captured))
      await shown?.loadMore()
      await shown?.refresh()
      await shown?.markSeen()
      await expect(shown?.readAll()).rejects.toThrow('useInbox: call this after the component is mounted')
    }
    expect(fetching).not.toHaveBeenCalled()
  })

  test('wrong options fail while rendering, with a sentence', () => {
    expect(() => renderToString(createElement(Bell, { url: undefined }))).toThrow('useInbox: url is missing')
  })
})
