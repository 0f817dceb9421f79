import { addressOf, type Query } from '../address.ts'
import type {
  CreateInboxSubscription,
  InboxNotification,
  InboxNotificationPage,
  InboxOperations,
  InboxPreference,
  InboxSession,
  ListInboxNotifications,
  ListInboxPreferences,
  OpenInboxSession,
  UpdateInboxPreferences,
  UpdateInboxSubscription,
  UpdateInboxWorkflowPreferences,
} from '../api-types.ts'
import { checkInboxOwner, readLimit, readUrl } from '../check-options.ts'
import { type Retrying, type RetryOptions, readRetryOptions, wasNotDone, withRetries } from '../retries.ts'
import { limitTime, send } from '../send.ts'
import { TidingsError } from '../tidings-error.ts'
import { createLive, type Listener } from './live.ts'
import { keepSession } from './session.ts'

export type {
  CreateInboxSubscription,
  InboxNotification,
  InboxNotificationPage,
  InboxPreference,
  InboxSession,
  ListInboxPreferences,
  OpenInboxSession,
  UpdateInboxPreferences,
  UpdateInboxSubscription,
  UpdateInboxWorkflowPreferences,
} from '../api-types.ts'
export type { Patience, RetryOptions } from '../retries.ts'
export type { Counts, Listener } from './live.ts'
export { TidingsError }

interface ConnectionOptions extends Retrying {
  /** The address of your Tidings service, such as `https://notify.example.com`. */
  url: string | undefined
  /** How long a live connection may be silent before it is replaced. Tidings sends something every 15 seconds. */
  silenceMs?: number
}

/** Says whose inbox it is and proves it, or passes the token of a session that was opened elsewhere. */
export type InboxOptions = ConnectionOptions & (OpenInboxSession | { token: string })

type Data = { data?: Record<string, unknown> }

/** Limits a list or a count to some notifications. */
export type InboxFilter = Omit<ListInboxNotifications, 'limit' | 'after' | 'offset' | 'data' | 'tagGroups'> & Data
/** Limits a change of many notifications to some of them. */
export type BulkFilter = Omit<InboxOperations['POST /v1/inbox/notifications/read']['body'], 'data' | 'contextKeys'> &
  Data

export type Subscription = InboxOperations[`POST ${typeof ofTopic}`]['reply']['data']
/** One of the two buttons that a notification can have. */
export type InboxButton = 'primary' | 'secondary'
/** How many notifications a filter matches. */
export type InboxCount = InboxOperations['GET /v1/inbox/notifications/count']['reply']['data'][number]

/** The session of an inbox. If you passed a token, only the token is known. */
export type OpenSession = { token: string } & Partial<InboxSession>

/** The client for one person's inbox. */
export interface Inbox {
  /** Returns the session, which the first call of any kind opens. */
  session(): Promise<OpenSession>
  /** Lists notifications, newest first. Without a filter it leaves out archived and snoozed ones. */
  list(query?: InboxFilter & { limit?: number; after?: string }): Promise<InboxNotificationPage>
  /** Returns one count for each filter. Each count stops at 50,000. */
  count(filters: InboxFilter[]): Promise<InboxCount[]>
  read(id: string): Promise<InboxNotification>
  unread(id: string): Promise<InboxNotification>
  archive(id: string): Promise<InboxNotification>
  unarchive(id: string): Promise<InboxNotification>
  /** Hides a notification until the given time. */
  snooze(id: string, until: Date | string): Promise<InboxNotification>
  unsnooze(id: string): Promise<InboxNotification>
  /** Records that a button of the notification was pressed. */
  complete(id: string, button: InboxButton): Promise<InboxNotification>
  /** Undoes `complete`. */
  revert(id: string, button: InboxButton): Promise<InboxNotification>
  /** Deletes a notification. One that no longer exists is no error. */
  delete(id: string): Promise<void>
  /** Marks all that match as read. Changes of all are not repeated if the service may already have carried them out. */
  readAll(filter?: BulkFilter): Promise<void>
  archiveAll(filter?: BulkFilter): Promise<void>
  archiveRead(filter?: BulkFilter): Promise<void>
  /** Marks the given notifications as seen, or all that match the filter. */
  seen(which?: { ids: string[] } | { filter: BulkFilter }): Promise<void>
  /** Deletes all that match, archived and snoozed ones included. */
  deleteAll(filter?: BulkFilter): Promise<void>
  /** Lists the person's preferences: the global one first, then one for each workflow. */
  preferences(filter?: ListInboxPreferences): Promise<InboxPreference[]>
  globalPreferences(): Promise<InboxPreference>
  setPreferences(changes: UpdateInboxPreferences): Promise<InboxPreference>
  setWorkflowPreferences(workflowId: string, changes: UpdateInboxWorkflowPreferences): Promise<InboxPreference>
  /** Lists the person's own subscriptions to a topic. */
  subscriptions(topicKey: string): Promise<Subscription[]>
  /** Subscribes the person to a topic. An existing subscription stays as it is. */
  subscribe(topicKey: string, subscription?: CreateInboxSubscription): Promise<Subscription>
  /** Changes a subscription, named by its identifier or its id. */
  changeSubscription(topicKey: string, identifier: string, changes: UpdateInboxSubscription): Promise<Subscription>
  unsubscribe(topicKey: string, identifier: string): Promise<void>
  /** Reports what is new until you call the function that it returns. All listeners share one connection. */
  listen(listener: Listener): () => void
}

type Operation = Exclude<keyof InboxOperations, 'POST /v1/inbox/session'>
type CallParts = { path?: Record<string, string>; query?: Query; body?: object }

const twoAndAHalfHeartbeatsMs = 37_500
const all = '/v1/inbox/notifications'
const one = `${all}/{notificationId}` as const
const ofTopic = '/v1/inbox/topics/{topicKey}/subscriptions'

/** Creates the client for one person's inbox. Throws if an option is missing or cannot be right. */
export function inbox(options: InboxOptions): Inbox {
  const url = readUrl('inbox', options?.url)
  checkInboxOwner('inbox', options)
  const { url: _, retry: _retry, patience: _patience, silenceMs: given = twoAndAHalfHeartbeatsMs, ...owner } = options
  const retry = readRetryOptions('inbox', options)
  const silenceMs = readLimit('inbox: silenceMs', given)
  const session = keepSession<OpenSession>(() => openSession(url, owner, retry), !('token' in owner))
  const live = createLive({ url, session, silenceMs })

  /** Calls an operation. By default it is also repeated if the service may already have carried it out. */
  async function call<O extends Operation>(
    operation: O,
    input: CallParts = {},
    isRepeated?: (error: TidingsError) => boolean,
  ): Promise<InboxOperations[O]['reply']> {
    const [method = '', path = ''] = operation.split(' ')
    const address = addressOf(url, path, input.path, input.query)
    const attempt = (leftMs: () => number) =>
      session.use((token) => {
        const headers = { authorization: `Bearer ${token}` }
        return send({ url: address, method, headers, body: input.body, timeoutMs: leftMs() })
      })
    const reply = await withRetries(retry, (timeoutMs) => limitTime(address, timeoutMs, attempt), undefined, isRepeated)
    // The types come from the description of the API, which the service's own tests compare with its replies.
    return reply as InboxOperations[O]['reply']
  }

  const change = async (
    operation: Extract<Operation, `PATCH ${typeof one}/${string}`>,
    notificationId: string,
    body?: object,
  ) => (await call(operation, { path: { notificationId }, ...(body && { body }) })).data

  /** Changes all notifications that match. A repeated change could reach one that arrived after the first attempt. */
  const changeAll = async (operation: Extract<Operation, `POST ${typeof all}/${string}`>, filter: BulkFilter) => {
    await call(operation, { body: withJsonData(filter) }, wasNotDone)
  }

  return {
    session: () => withRetries(retry, (timeoutMs) => limitTime(url, timeoutMs, session.get)),
    list: (query = {}) => call(`GET ${all}`, { query: withJsonData(query) }),
    count: async (filters) => (await call(`GET ${all}/count`, { query: { filters: JSON.stringify(filters) } })).data,
    read: (id) => change(`PATCH ${one}/read`, id),
    unread: (id) => change(`PATCH ${one}/unread`, id),
    archive: (id) => change(`PATCH ${one}/archive`, id),
    unarchive: (id) => change(`PATCH ${one}/unarchive`, id),
    snooze: async (id, until) => change(`PATCH ${one}/snooze`, id, { snoozeUntil: new Date(until).toISOString() }),
    unsnooze: (id) => change(`PATCH ${one}/unsnooze`, id),
    complete: (id, button) => change(`PATCH ${one}/complete`, id, { actionType: button }),
    revert: (id, button) => change(`PATCH ${one}/revert`, id, { actionType: button }),
    async delete(notificationId) {
      await call(`DELETE ${one}/delete`, { path: { notificationId } }).catch(unlessGone)
    },
    readAll: (filter = {}) => changeAll(`POST ${all}/read`, filter),
    archiveAll: (filter = {}) => changeAll(`POST ${all}/archive`, filter),
    archiveRead: (filter = {}) => changeAll(`POST ${all}/read-archive`, filter),
    async seen(which = { filter: {} }) {
      if ('ids' in which) await call(`POST ${all}/seen`, { body: { notificationIds: which.ids } })
      else await changeAll(`POST ${all}/seen`, which.filter)
    },
    deleteAll: (filter = {}) => changeAll(`POST ${all}/delete`, filter),
    preferences: async (query = {}) => (await call('GET /v1/inbox/preferences', { query })).data,
    globalPreferences: async () => (await call('GET /v1/inbox/preferences/global')).data,
    setPreferences: async (body) => (await call('PATCH /v1/inbox/preferences', { body })).data,
    setWorkflowPreferences: async (workflowId, body) =>
      (await call('PATCH /v1/inbox/preferences/{workflowId}', { path: { workflowId }, body })).data,
    subscriptions: async (topicKey) => (await call(`GET ${ofTopic}`, { path: { topicKey } })).data,
    subscribe: async (topicKey, body = {}) => (await call(`POST ${ofTopic}`, { path: { topicKey }, body })).data,
    changeSubscription: async (topicKey, identifier, body) =>
      (await call(`PATCH ${ofTopic}/{identifier}`, { path: { topicKey, identifier }, body })).data,
    async unsubscribe(topicKey, identifier) {
      await call(`DELETE ${ofTopic}/{identifier}`, { path: { topicKey, identifier } }).catch(unlessGone)
    },
    listen: live.listen,
  }
}

/** Ignores 404 after a delete: an earlier attempt, whose answer was lost, may have deleted the notification. */
function unlessGone(error: unknown): void {
  if (!(error instanceof TidingsError && error.status === 404)) throw error
}

async function openSession(
  url: string,
  owner: OpenInboxSession | { token: string },
  retry: RetryOptions,
): Promise<OpenSession> {
  if ('token' in owner) return owner
  const timeoutMs = Math.min(retry.timeoutMs, retry.deadlineMs)
  const sent = { url: addressOf(url, '/v1/inbox/session'), method: 'POST', headers: {}, body: owner, timeoutMs }
  return ((await send(sent)) as InboxOperations['POST /v1/inbox/session']['reply']).data
}

function withJsonData<F extends Data>({ data, ...rest }: F): Omit<F, 'data'> & { data?: string } {
  return { ...rest, ...(data && { data: JSON.stringify(data) }) }
}
