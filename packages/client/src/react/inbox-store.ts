import type { InboxNotification } from '../api-types.ts'
import type { Inbox, InboxFilter } from '../inbox/inbox.ts'
import { backOffMs, isFinal } from '../retries.ts'
import { type Change, createActions, type Edit } from './inbox-actions.ts'
import { type InboxActions, type InboxState, initialState } from './inbox-state.ts'

/** One list of an inbox, which any number of components show. */
export interface InboxStore extends InboxActions {
  getState(): InboxState
  /** Calls `onChange` after each change, until you call the function that it returns. */
  subscribe(onChange: () => void): () => void
  /** Starts to load and to listen. */
  start(): void
  /** Ends loading and listening for good. Changes are still sent. */
  stop(): void
}

type Options = { inbox: Inbox; filter: InboxFilter; pageSize: number }

/** Why the list could not be loaded, and why changes do not arrive live. */
type Problems = { list: Error | null; connection: Error | null }
type Update = (changes: Partial<InboxState>, problems?: Partial<Problems>) => void

// The service returns at most this many notifications at once.
const largestPage = 100

/** Keeps one list of an inbox up to date: loads it, listens for changes, and shows the person's own changes at once. */
export function createInboxStore({ inbox, filter, pageSize }: Options): InboxStore {
  const subscribers = new Set<() => void>()
  /** The changes that the loaded list does not contain yet. */
  const pending = new Set<Edit>()
  let state = initialState
  let loaded: readonly InboxNotification[] = []
  let size = pageSize
  let problems: Problems = { list: null, connection: null }
  let isStopped = false
  let failures = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  const update: Update = (changes, newProblems) => {
    problems = { ...problems, ...newProblems }
    const notifications = [...pending].reduce(applyEdit, loaded)
    state = { ...state, ...changes, notifications, error: problems.list ?? problems.connection }
    for (const onChange of [...subscribers]) onChange()
  }

  /** Loads the list and returns whether that succeeded. After a failure it repeats the load until the list is stopped. */
  const load = runOneAtATime(async () => {
    clearTimeout(retryTimer)
    try {
      const needsCount = !state.isConnected
      const [list, unread] = await Promise.all([loadList(inbox, filter, size), needsCount ? countUnread(inbox) : null])
      loaded = list.notifications
      // A live connection reports the count, and its report is newer than an answer that was requested before it.
      const counted = unread !== null && !state.isConnected ? { unreadCount: unread } : {}
      failures = 0
      update({ hasMore: list.hasMore, isLoading: false, ...counted }, { list: null })
      return true
    } catch (error) {
      update({ isLoading: false }, { list: toError(error) })
      if (!isStopped && !isFinal(error)) retryTimer = setTimeout(refresh, backOffMs(error, failures++))
      return false
    }
  })
  const refresh = async () => !isStopped && (await load())

  const live = createLiveUpdates(inbox, update, refresh)
  const sendInOrder = createSendQueue()

  const change: Change = async (ids, edit, send) => {
    const own: Edit = (it) => (ids === 'all' || it.id === ids ? edit(it) : it)
    const end = () => {
      pending.delete(own)
      update({})
    }
    pending.add(own)
    update({})
    try {
      await sendInOrder(ids, send)
    } catch (error) {
      end()
      throw error
    }
    loaded = applyEdit(loaded, own)
    // A list that was requested before the change may still arrive. The next list contains the change. If that one cannot
    // be loaded, the earlier list has to show the change.
    void refresh().then((isLoaded) => {
      if (!isLoaded) loaded = applyEdit(loaded, own)
      end()
    })
  }

  return {
    getState: () => state,
    subscribe(onChange) {
      subscribers.add(onChange)
      return () => subscribers.delete(onChange)
    },
    start() {
      if (isStopped) return
      live.start()
      void refresh()
    },
    stop() {
      isStopped = true
      clearTimeout(retryTimer)
      live.stop()
    },
    async refresh() {
      if (isStopped) return
      if (live.isRefused()) live.start()
      await refresh()
    },
    async loadMore() {
      if (isStopped || !state.hasMore || state.isLoadingMore) return
      size = loaded.length + pageSize
      update({ isLoadingMore: true })
      await refresh()
      update({ isLoadingMore: false })
    },
    ...createActions({ inbox, filter, change, getState: () => state }),
  }
}

const applyEdit = (list: readonly InboxNotification[], edit: Edit) => list.flatMap((it) => edit(it) ?? [])

/**
 * Sends the changes of one notification one after the other, because a repeated attempt could overtake a later change. A
 * change of all notifications waits for all earlier ones.
 */
function createSendQueue(): (ids: string, send: () => Promise<unknown>) => Promise<unknown> {
  const latest = new Map<string, Promise<unknown>>()
  return (ids, send) => {
    const earlier = ids === 'all' ? [...latest.values()] : [latest.get(ids), latest.get('all')]
    const sent = Promise.allSettled(earlier).then(send)
    const forget = () => {
      if (latest.get(ids) === sent) latest.delete(ids)
    }
    latest.set(ids, sent)
    sent.then(forget, forget)
    return sent
  }
}

/** Returns a function that runs `task`, but never twice at a time: calls during a run share the next run. */
function runOneAtATime<T>(task: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const run = (): Promise<T> => {
    next = undefined
    running = task().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (next) return next
    if (!running) return run()
    next = running.then(run)
    return next
  }
}

/** Loads the newest `size` notifications, in as few requests as possible. */
async function loadList(inbox: Inbox, filter: InboxFilter, size: number) {
  const notifications: InboxNotification[] = []
  for (;;) {
    const limit = Math.min(largestPage, size - notifications.length)
    const after = notifications.at(-1)?.id
    const page = await inbox.list({ ...filter, limit, ...(after !== undefined && { after }) })
    notifications.push(...page.data)
    if (!page.hasMore || notifications.length >= size) return { notifications, hasMore: page.hasMore }
  }
}

async function countUnread(inbox: Inbox): Promise<number> {
  const [unread] = await inbox.count([{ read: false }])
  return unread?.count ?? 0
}

function createLiveUpdates(inbox: Inbox, update: Update, refresh: () => unknown) {
  let isRefused = false
  let stop = () => {}
  return {
    isRefused: () => isRefused,
    stop: () => stop(),
    start() {
      stop()
      isRefused = false
      stop = inbox.listen({
        connected: () => update({ isConnected: true }, { connection: null }),
        received: refresh,
        counts({ unread }) {
          update({ unreadCount: unread })
          // The counts arrive after each connection, because notifications may have been missed before it, and when a
          // notification was archived or deleted in another window.
          refresh()
        },
        disconnected(error, { isFinal }) {
          isRefused = isFinal
          update({ isConnected: false, ...(isFinal && { isLoading: false }) }, { connection: toError(error) })
        },
      })
    },
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
