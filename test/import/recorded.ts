import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * Replies of the old service that no server of ours can produce, in the shapes of the published client's types. A real
 * server on loopback replays them, page by page.
 */

type Item = Record<string, unknown>

const time = '2026-01-02T03:04:05.000Z'
const ids = { _organizationId: '5f0000000000000000000001', _environmentId: '5f0000000000000000000002' }
let counter = 0
const id = () => (0x650000000000000000000000n + BigInt(++counter)).toString(16)

export function person(subscriberId: string, more: Item = {}): Item {
  const empty = { firstName: null, lastName: null, email: null, phone: null, avatar: null, locale: null, data: null }
  const times = { createdAt: time, updatedAt: time }
  return { _id: id(), ...ids, subscriberId, ...empty, channels: [], deleted: false, __v: 0, ...times, ...more }
}

export function channel(providerId: string, credentials: Item): Item {
  return { providerId, integrationIdentifier: `${providerId}-x`, _integrationId: id(), credentials }
}

const slug = { slug: 'x_st_y', issues: {}, variables: {}, workflowDatabaseId: id(), workflowId: 'w' }

export function step(type: string, stepId: string, controlValues: Item, more: Item = {}): Item {
  const own = { _id: id(), stepId, name: stepId, type, origin: 'novu-cloud' }
  return { ...slug, ...own, controls: { values: controlValues, dataSchema: {}, uiSchema: {} }, controlValues, ...more }
}

const layer = {
  all: { enabled: true, readOnly: false },
  channels: { in_app: { enabled: true }, tool: { enabled: true } },
}

export function workflow(workflowId: string, steps: readonly Item[], more: Item = {}): Item {
  const own = { _id: id(), workflowId, slug: `${workflowId}_wf_1`, name: `The ${workflowId}`, tags: [], active: true }
  const times = { createdAt: time, updatedAt: time }
  const preferences = { user: null, default: layer }
  return { ...own, ...times, origin: 'novu-cloud', status: 'ACTIVE', severity: 'none', preferences, steps, ...more }
}

export function integration(providerId: string, more: Item = {}): Item {
  const own = { _id: id(), ...ids, name: providerId, identifier: `${providerId}-x`, providerId, channel: 'email' }
  return { ...own, active: true, deleted: false, primary: false, conditions: [], credentials: {}, ...more }
}

export type Recorded = {
  subscribers: Item[]
  preferences: Record<string, Item>
  workflows: Item[]
  layouts: Item[]
  integrations: Item[]
  contexts: Item[]
  tenants: Item[]
  topics: Item[]
  members: Record<string, Item[]>
  details: Record<string, Item>
  activity: Item[]
}

export const nothing: Recorded = {
  subscribers: [],
  preferences: {},
  workflows: [],
  layouts: [],
  integrations: [],
  contexts: [],
  tenants: [],
  topics: [],
  members: {},
  details: {},
  activity: [],
}

export type Instead = { status: number; headers?: Record<string, string>; body?: unknown }

type Options = {
  /** `{ data: … }` around whatever is no page. */
  isWrapped?: boolean
  /** Before an answer: a status and headers instead of it, or something that changes meanwhile. */
  before?: (path: string, count: number) => Instead | 'cut' | undefined | Promise<undefined>
}

export type Replay = { url: string; calls: string[]; close(): Promise<void> }

export async function startReplay(recorded: Recorded, { isWrapped = false, before }: Options = {}): Promise<Replay> {
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    calls.push(`${url.pathname}${url.search}`)
    const instead = await before?.(url.pathname, calls.length)
    if (instead === 'cut') return void request.socket.destroy()
    if (instead)
      return send(response, instead.status, instead.body ?? { message: 'as the script says' }, instead.headers)
    if (request.headers.authorization !== 'ApiKey old-key') return send(response, 401, { message: 'no' })
    const found = answer(recorded, decodeURIComponent(url.pathname), url.searchParams)
    if (found === undefined) return send(response, 404, { message: `Cannot GET ${url.pathname}` })
    send(response, 200, isWrapped ? wrapped(found) : found)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** A result with a truthy `data` and neither `_id` nor `id` goes out as it is. */
function wrapped(found: unknown): unknown {
  const { data, _id, id: other } = Object(found)
  return data && _id === undefined && other === undefined ? found : { data: found }
}

function answer(recorded: Recorded, path: string, query: URLSearchParams): unknown {
  const [, version, kind = '', name = '', more = '', last = ''] = path.split('/')
  const route = `/${version}/${kind}`
  const named = (list: readonly Item[], key: string) => list.find((it) => it[key] === name)
  if (route === '/v2/subscribers' && more === 'preferences') return recorded.preferences[name] ?? defaults(recorded)
  if (route === '/v2/subscribers')
    return name ? named(recorded.subscribers, 'subscriberId') : byCursor(recorded.subscribers, query)
  if (route === '/v2/workflows')
    return name ? named(recorded.workflows, 'workflowId') : byOffset('workflows', recorded.workflows, query)
  if (route === '/v2/layouts')
    return name ? named(recorded.layouts, 'layoutId') : byOffset('layouts', recorded.layouts, query)
  if (route === '/v1/integrations') return recorded.integrations
  if (route === '/v2/contexts') return byCursor(recorded.contexts, query)
  if (route === '/v1/tenants') return byNumber(recorded.tenants, query)
  if (route === '/v1/notifications') return byNumber(recorded.activity, query)
  if (route === '/v2/topics' && more === 'subscriptions') {
    return last ? recorded.details[last] : byCursor(recorded.members[name] ?? [], query)
  }
  if (route === '/v2/topics') return name ? named(recorded.topics, 'key') : byCursor(recorded.topics, query)
  return undefined
}

function defaults({ workflows }: Recorded): Item {
  const channels = { in_app: true, email: true, sms: true, chat: true, push: true }
  const about = ({ workflowId, name }: Item) => ({ slug: `${workflowId}`, identifier: workflowId, name })
  return {
    global: { enabled: true, channels },
    workflows: workflows.map((it) => ({
      enabled: true,
      channels: { in_app: true },
      overrides: [],
      workflow: about(it),
    })),
  }
}

function byCursor(list: readonly Item[], query: URLSearchParams): unknown {
  const sorted = list.toSorted((a, b) => (String(a._id) < String(b._id) ? -1 : 1))
  const after = query.get('after')
  const rest = after === null ? sorted : sorted.filter((it) => String(it._id) > after)
  const data = rest.slice(0, Number(query.get('limit')))
  const next = rest.length > data.length ? (data.at(-1)?._id ?? null) : null
  return { data, next, previous: null, totalCount: list.length, totalCountCapped: false }
}

function byOffset(name: string, list: readonly Item[], query: URLSearchParams): unknown {
  // Such lists know no order by `_id`.
  const from = Number(query.get('offset') ?? 0)
  return { [name]: list.slice(from, from + Number(query.get('limit'))), totalCount: list.length }
}

function byNumber(list: readonly Item[], query: URLSearchParams): unknown {
  const [page, pageSize] = [Number(query.get('page') ?? 0), Number(query.get('limit'))]
  const data = list.slice(page * pageSize, (page + 1) * pageSize)
  return { page, pageSize, data, hasMore: list.length > (page + 1) * pageSize }
}
