import { addressOf, type Query } from '../address.ts'
import type { InboxNotification, InboxOperations, InboxPreference, InboxSession } from '../api-types.ts'
import { type Patience, usualPatience, withRetries } from '../retries.ts'
import { send } from '../send.ts'
import { TidingsError } from '../tidings-error.ts'
import { createLive, type Listener } from './live.ts'
import { keepSession } from './session.ts'

export type { InboxNotification, InboxPreference, InboxSession } from '../api-types.ts'
export type { Counts, Listener } from './live.ts'
export { TidingsError }

type SessionInput = InboxOperations['POST /v1/inbox/session']['body']
type Common = {
  /** Where Tidings is. */
  url: string
  patience?: Partial<Patience>
  /** A live connection that says nothing for so long is opened again. Tidings says something every 15 seconds. */
  silenceMs?: number
}

/** Whose inbox it is, and what proves it; or the token of a session that somebody opened already. */
export type InboxOptions = Common & (SessionInput | { token: string })

type ListQuery = NonNullable<InboxOperations['GET /v1/inbox/notifications']['query']>
type Data = { data?: Record<string, unknown> }

/** What a list or a count is limited to. */
export type InboxFilter = Omit<ListQuery, 'limit' | 'after' | 'offset' | 'data' | 'tagGroups'> & Data
/** What a change of all is limited to. */
export type BulkFilter = Omit<InboxOperations['POST /v1/inbox/notifications/read']['body'], 'data' | 'contextKeys'> &
  Data

type PreferenceFilter = NonNullable<InboxOperations['GET /v1/inbox/preferences']['query']>
type PreferenceChange = InboxOperations['PATCH /v1/inbox/preferences']['body']
type WorkflowPreferenceChange = InboxOperations['PATCH /v1/inbox/preferences/{workflowId}']['body']
type NewSubscription = InboxOperations[`POST ${typeof ofTopic}`]['body']
type SubscriptionChange = InboxOperations[`PATCH ${typeof ofTopic}/{identifier}`]['body']
export type Subscription = InboxOperations[`POST ${typeof ofTopic}`]['reply']['data']
type Button = 'primary' | 'secondary'
type Page = InboxOperations['GET /v1/inbox/notifications']['reply']
type Count = InboxOperations['GET /v1/inbox/notifications/count']['reply']['data'][number]

/** Of a token that was given, only the token is known. */
export type OpenSession = { token: string } & Partial<InboxSession>

export type Inbox = {
  /** Opened by the first call of any kind. */
  session(): Promise<OpenSession>
  /** Newest first; without a filter what is neither archived nor snoozed. */
  list(query?: InboxFilter & { limit?: number; after?: string }): Promise<Page>
  /** One count for each filter. */
  count(filters: InboxFilter[]): Promise<Count[]>
  read(id: string): Promise<InboxNotification>
  unread(id: string): Promise<InboxNotification>
  archive(id: string): Promise<InboxNotification>
  unarchive(id: string): Promise<InboxNotification>
  snooze(id: string, until: Date | string): Promise<InboxNotification>
  unsnooze(id: string): Promise<InboxNotification>
  /** A button was pressed. */
  complete(id: string, button: Button): Promise<InboxNotification>
  revert(id: string, button: Button): Promise<InboxNotification>
  delete(id: string): Promise<void>
  readAll(filter?: BulkFilter): Promise<void>
  archiveAll(filter?: BulkFilter): Promise<void>
  archiveRead(filter?: BulkFilter): Promise<void>
  /** Those named, or all that the filter finds. */
  seen(which?: { ids: string[] } | { filter: BulkFilter }): Promise<void>
  /** Also what is archived or snoozed. */
  deleteAll(filter?: BulkFilter): Promise<void>
  /** The global one first, then one for each workflow. */
  preferences(filter?: PreferenceFilter): Promise<InboxPreference[]>
  globalPreferences(): Promise<InboxPreference>
  setPreferences(change: PreferenceChange): Promise<InboxPreference>
  setWorkflowPreferences(workflow: string, change: WorkflowPreferenceChange): Promise<InboxPreference>
  /** One's own subscriptions to a topic. */
  subscriptions(topicKey: string): Promise<Subscription[]>
  /** One that exists stays as it is. */
  subscribe(topicKey: string, subscription?: NewSubscription): Promise<Subscription>
  /** By the identifier or id of the subscription. */
  changeSubscription(topicKey: string, identifier: string, change: SubscriptionChange): Promise<Subscription>
  unsubscribe(topicKey: string, identifier: string): Promise<void>
  /** Tells what is new until the function it gives is called. All who listen share one connection. */
  listen(listener: Listener): () => void
}

type Operation = Exclude<keyof InboxOperations, 'POST /v1/inbox/session'>
type Given = { path?: Record<string, string>; query?: Query; body?: object }

const twoAndAHalfHeartbeatsMs = 37_500
const all = '/v1/inbox/notifications'
const one = `${all}/{notificationId}` as const
const ofTopic = '/v1/inbox/topics/{topicKey}/subscriptions'

/** The inbox of one person, for a browser. */
export function inbox({ url, patience: given, silenceMs = twoAndAHalfHeartbeatsMs, ...who }: InboxOptions): Inbox {
  const patience = { ...usualPatience, ...given }
  const session = keepSession<OpenSession>(() => openSession(url, who, patience), !('token' in who))
  const live = createLive({ url, session, silenceMs })

  /** Doing any of these twice is the same as doing it once, so all are tried again. */
  async function call<O extends Operation>(operation: O, given: Given = {}): Promise<InboxOperations[O]['reply']> {
    const [method = '', path = ''] = operation.split(' ')
    const address = addressOf(url, path, given.path, given.query)
    const attempt = (timeoutMs: number) =>
      session.use((token) => {
        const headers = { authorization: `Bearer ${token}` }
        return send({ url: address, method, headers, body: given.body, timeoutMs })
      })
    // The service answers as its description says.
    return (await withRetries(patience, attempt)) as InboxOperations[O]['reply']
  }

  const change = async (
    operation: Extract<Operation, `PATCH ${typeof one}/${string}`>,
    notificationId: string,
    body?: object,
  ) => (await call(operation, { path: { notificationId }, ...(body && { body }) })).data

  const changeAll = async (operation: Extract<Operation, `POST ${typeof all}/${string}`>, body: object) => {
    await call(operation, { body })
  }

  return {
    session: () => withRetries(patience, session.get),
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
    readAll: (filter = {}) => changeAll(`POST ${all}/read`, withJsonData(filter)),
    archiveAll: (filter = {}) => changeAll(`POST ${all}/archive`, withJsonData(filter)),
    archiveRead: (filter = {}) => changeAll(`POST ${all}/read-archive`, withJsonData(filter)),
    seen: (which = { filter: {} }) =>
      changeAll(`POST ${all}/seen`, 'ids' in which ? { notificationIds: which.ids } : withJsonData(which.filter)),
    deleteAll: (filter = {}) => changeAll(`POST ${all}/delete`, withJsonData(filter)),
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

/** What is not there any more is deleted, perhaps by an earlier try whose answer was lost. */
function unlessGone(error: unknown): void {
  if (!(error instanceof TidingsError && error.status === 404)) throw error
}

async function openSession(
  url: string,
  who: SessionInput | { token: string },
  { timeoutMs }: Patience,
): Promise<OpenSession> {
  if ('token' in who) return who
  const sent = { url: addressOf(url, '/v1/inbox/session'), method: 'POST', headers: {}, body: who, timeoutMs }
  return ((await send(sent)) as InboxOperations['POST /v1/inbox/session']['reply']).data
}

function withJsonData<F extends Data>({ data, ...rest }: F): Omit<F, 'data'> & { data?: string } {
  return { ...rest, ...(data && { data: JSON.stringify(data) }) }
}
