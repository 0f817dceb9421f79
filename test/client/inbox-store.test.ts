import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Inbox, InboxFilter, InboxNotification, Listener } from '../../packages/client/src/inbox/inbox.ts'
import { createInboxStore } from '../../packages/client/src/react/inbox-store.ts'
import { TidingsError } from '../../packages/client/src/tidings.ts'

/** The list behind the React hook, with an inbox whose answers the test decides. */
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const failure = (status: number, retryAfterMs?: number) =>
  new TidingsError(`status ${status}`, { status, retryAfterMs })
const pageOf = (isRead: boolean) => {
  const notification: InboxNotification = JSON.parse(JSON.stringify({ id: 'one', isRead, isSeen: false }))
  return { data: [notification], hasMore: false, filter: {} }
}

/** Opens a list. `fake` counts the requests and holds the functions that the test replaces. */
function open(filter: InboxFilter = {}, list: Inbox['list'] = async () => pageOf(false)) {
  const fake = {
    list: vi.fn<Inbox['list']>(list),
    read: vi.fn<Inbox['read']>(),
    readAll: vi.fn<Inbox['readAll']>(async () => {}),
    archiveAll: vi.fn<Inbox['archiveAll']>(async () => {}),
    listeners: [] as Listener[],
  }
  const inbox: Partial<Inbox> = {
    ...fake,
    list: (query) => fake.list(query),
    count: async () => [],
    listen(listener) {
      fake.listeners.push(listener)
      return () => {}
    },
  }
  const store = createInboxStore({ inbox: inbox as Inbox, filter, pageSize: 20 })
  store.start()
  return { store, fake }
}

describe('a list that cannot be loaded', () => {
  test('stays an error while the connection works, until it is loaded', async () => {
    const { store, fake } = open()
    fake.list.mockRejectedValue(failure(500))
    await store.refresh()
    fake.listeners[0]?.connected?.()
    expect(store.getState()).toMatchObject({ isConnected: true, isLoading: false, error: { status: 500 } })
    fake.list.mockResolvedValue(pageOf(false))
    await store.refresh()
    expect(store.getState()).toMatchObject({ error: null, notifications: [{ id: 'one' }] })
    store.stop()
  })

  test('comes before a lost connection, which a loaded list does not clear', async () => {
    const { store, fake } = open()
    fake.list.mockRejectedValue(failure(500))
    await store.refresh()
    fake.listeners[0]?.disconnected?.(failure(0), { isFinal: false })
    expect(store.getState().error).toMatchObject({ status: 500 })
    fake.list.mockResolvedValue(pageOf(false))
    await store.refresh()
    expect(store.getState().error).toMatchObject({ status: 0 })
    fake.listeners[0]?.connected?.()
    expect(store.getState().error).toBe(null)
    store.stop()
  })

  test('is loaded again after growing waits, while the connection stays up', async () => {
    const { store, fake } = open({}, () => Promise.reject(failure(500)))
    await vi.advanceTimersByTimeAsync(0)
    fake.listeners[0]?.connected?.()
    expect(fake.list).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    const repeated = fake.list.mock.calls.length
    expect(repeated).toBeGreaterThan(8)
    expect(repeated).toBeLessThan(40)
    fake.list.mockResolvedValue(pageOf(false))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(store.getState()).toMatchObject({ error: null, notifications: [{ id: 'one' }] })
    const loaded = fake.list.mock.calls.length
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    expect(fake.list).toHaveBeenCalledTimes(loaded)
    store.stop()
  })

  test.each([
    ['an answer that another request would get again', failure(422), false],
    ['an answer that asks for a longer wait than a timer can count', failure(500, 2 ** 40), false],
    ['the end of the list', failure(500), true],
  ])('is not loaded again after %s', async (_what, error, isStopped) => {
    const { store, fake } = open({}, () => Promise.reject(error))
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().error).toBe(error)
    if (isStopped) store.stop()
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    expect(fake.list).toHaveBeenCalledTimes(1)
    store.stop()
  })

  test('is not loaded again if it fails after the end of the list', async () => {
    let fail = () => {}
    const { store, fake } = open(
      {},
      () =>
        new Promise((_resolve, reject) => {
          fail = () => reject(failure(500))
        }),
    )
    await vi.advanceTimersByTimeAsync(0)
    store.stop()
    fail()
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    expect(store.getState().error).toMatchObject({ status: 500 })
    expect(fake.list).toHaveBeenCalledTimes(1)
  })
})

test('a change stays visible when an older list arrives after it and the next list fails', async () => {
  const { store, fake } = open()
  await vi.advanceTimersByTimeAsync(0)
  let answer = () => {}
  fake.list.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answer = () => resolve(pageOf(false))
      }),
  )
  fake.list.mockRejectedValueOnce(failure(500))
  const older = store.refresh()
  fake.read.mockResolvedValue(JSON.parse('{}'))
  await store.read('one')
  answer()
  await older
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState()).toMatchObject({ error: { status: 500 }, notifications: [{ isRead: true }] })
  store.stop()
})

describe('a change of all notifications', () => {
  test.each<[InboxFilter, string]>([
    [{ severity: ['high'] }, 'severity'],
    [{ tags: ['orders'], seen: false }, 'seen'],
    [{ read: true }, 'read'],
    [{ archived: true }, 'archived'],
    [{ createdGte: 1 }, 'createdGte'],
  ])('is refused if it would reach others than the list shows: %j', async (filter, name) => {
    const { store, fake } = open(filter)
    await vi.advanceTimersByTimeAsync(0)
    await expect(store.readAll()).rejects.toThrow(`readAll: the filter of this list contains \`${name}\``)
    await expect(store.archiveAll()).rejects.toThrow(`archiveAll: the filter of this list contains \`${name}\``)
    expect(fake.readAll).not.toHaveBeenCalled()
    expect(fake.archiveAll).not.toHaveBeenCalled()
    expect(store.getState().notifications).toMatchObject([{ id: 'one', isRead: false }])
    store.stop()
  })

  test('is made by tags and data, and for reading in a list of unread ones', async () => {
    const filter = { tags: ['orders'], data: { kind: 'odd' } }
    const { store, fake } = open(filter)
    await store.readAll()
    await store.archiveAll()
    expect(fake.readAll).toHaveBeenCalledWith(filter)
    expect(fake.archiveAll).toHaveBeenCalledWith(filter)
    store.stop()
    const unread = open({ read: false })
    await unread.store.readAll()
    expect(unread.fake.readAll).toHaveBeenCalledWith({})
    // This would archive the read notifications, too.
    await expect(unread.store.archiveAll()).rejects.toThrow('archiveAll: the filter of this list contains `read`')
    unread.store.stop()
  })
})

test('a stopped list never connects or loads again; a change is still sent', async () => {
  const { store, fake } = open()
  await vi.advanceTimersByTimeAsync(0)
  fake.listeners[0]?.disconnected?.(failure(401), { isFinal: true })
  store.stop()
  await store.refresh()
  await store.loadMore()
  store.start()
  fake.read.mockResolvedValue(JSON.parse('{}'))
  await store.read('one')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fake.read).toHaveBeenCalledTimes(1)
  expect(fake.listeners).toHaveLength(1)
  expect(fake.list).toHaveBeenCalledTimes(1)
})
