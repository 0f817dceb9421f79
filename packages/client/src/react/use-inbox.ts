'use client'
import { useMemo, useSyncExternalStore } from 'react'
import { checkInboxOwner, readLimit, readUrl } from '../check-options.ts'
import { type Inbox, type InboxFilter, type InboxOptions, inbox } from '../inbox/inbox.ts'
import { readRetryOptions } from '../retries.ts'
import { toSortedJson } from '../sorted-json.ts'
import { type InboxActions, type InboxState, initialState } from './inbox-state.ts'
import { createInboxStore, type InboxStore } from './inbox-store.ts'
import { createShared } from './shared.ts'

export type { InboxFilter, InboxNotification, InboxOptions } from '../inbox/inbox.ts'
export { TidingsError } from '../inbox/inbox.ts'
export type { InboxActions, InboxState } from './inbox-state.ts'

/** The options of an inbox, and which part of it to show. */
export type UseInboxOptions = InboxOptions & {
  /** Limits the list, for example `{ read: false }` or `{ tags: ['orders'] }`. */
  filter?: InboxFilter
  /** How many notifications the first page and each further page have. The default is 20. */
  pageSize?: number
}

/** The state of an inbox and its actions. */
export interface UseInbox extends InboxState, InboxActions {}

/**
 * Shows the inbox of the person who is signed in, live. Components with equal options share one session, one connection
 * and one list. Pass null or undefined while you do not know the options yet. Nothing is requested during server-side rendering.
 */
export function useInbox(options: UseInboxOptions | null | undefined): UseInbox {
  const key = options ? keyOf(options) : null
  const handle = useMemo(() => createHandle(key), [key])
  const state = useSyncExternalStore(handle.subscribe, handle.getState, () => initialState)
  return useMemo(() => ({ ...state, ...handle.actions }), [state, handle])
}

/** Returns the options as JSON. Checks the limits before that, because JSON has neither NaN nor Infinity. */
function keyOf(options: UseInboxOptions): string {
  const { patience: _, silenceMs, pageSize = 20, ...others } = options
  return toSortedJson({
    ...others,
    retry: readRetryOptions('useInbox', options),
    ...(silenceMs !== undefined && { silenceMs: readLimit('useInbox: silenceMs', silenceMs) }),
    pageSize: readLimit('useInbox: pageSize', pageSize),
  })
}

const inboxes = createShared<Inbox>(
  (key) => inbox(JSON.parse(key)),
  () => {},
)
const stores = createShared<{ store: InboxStore; inboxKey: string }>(
  (key) => {
    const { filter = {}, pageSize = 20, ...own }: UseInboxOptions = JSON.parse(key)
    const inboxKey = toSortedJson(own)
    const store = createInboxStore({ inbox: inboxes.acquire(inboxKey), filter, pageSize })
    store.start()
    return { store, inboxKey }
  },
  ({ store, inboxKey }) => {
    store.stop()
    inboxes.release(inboxKey)
  },
)

type Handle = { subscribe(onChange: () => void): () => void; getState(): InboxState; actions: InboxActions }

/** Connects a component with the store of its options, which exists from the first effect to the last clean-up. */
function createHandle(key: string | null): Handle {
  let store: InboxStore | undefined
  if (key !== null) {
    const options: UseInboxOptions = JSON.parse(key)
    readUrl('useInbox', options.url)
    checkInboxOwner('useInbox', options)
  }
  const mounted = async () => {
    if (!store) throw new Error('useInbox: call this after the component is mounted and its options are known.')
    return store
  }
  return {
    getState: () => (key === null ? undefined : stores.peek(key))?.store.getState() ?? initialState,
    subscribe(onChange) {
      if (key === null) return () => {}
      store = stores.acquire(key).store
      const unsubscribe = store.subscribe(onChange)
      return () => {
        unsubscribe()
        stores.release(key)
      }
    },
    actions: {
      loadMore: async () => store?.loadMore(),
      refresh: async () => store?.refresh(),
      read: async (id) => (await mounted()).read(id),
      unread: async (id) => (await mounted()).unread(id),
      archive: async (id) => (await mounted()).archive(id),
      unarchive: async (id) => (await mounted()).unarchive(id),
      snooze: async (id, until) => (await mounted()).snooze(id, until),
      unsnooze: async (id) => (await mounted()).unsnooze(id),
      delete: async (id) => (await mounted()).delete(id),
      complete: async (id, button) => (await mounted()).complete(id, button),
      readAll: async () => (await mounted()).readAll(),
      archiveAll: async () => (await mounted()).archiveAll(),
      markSeen: async () => store?.markSeen(),
    },
  }
}
