import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answered, createLogin } from './microsoft-login.ts'

export const teamsApp = {
  clientId: '11111111-aaaa-4000-8000-000000000001',
  secretKey: 'the~secret~of~the~bot~0001',
  tenant: '22222222-bbbb-4000-8000-000000000001',
}

export type TeamsOptions = {
  redirectUris?: readonly string[]
  tokenLifeMs?: number
  singleTenant?: true
  /** How a chat says that a person has blocked the bot: both ways are documented. */
  blocks?: 'MessageWritesBlocked' | 'ConversationBlockedByUser'
  /** Tenants of the Government Community Cloud, which has a service URL of its own. */
  governmentTenants?: readonly string[]
}

type Place = { tenant: string; isInstalled: boolean; isBlocked: boolean; chat: string }
type Posted = { to: string; tenant: string; activity: unknown }

const mostBytes = 100 * 1024

/**
 * Microsoft Teams with its login, as the documentation has them: the Bot Connector under /teams, webhooks of Workflows,
 * and the pages of the login. Its clock is the test's.
 */
export async function startTeams(options: TeamsOptions = {}) {
  let now = Date.parse('2026-01-02T03:04:05.000Z')
  let count = 0
  let visitor = { userId: '33333333-cccc-4000-8000-000000000001', tenant: teamsApp.tenant }
  const [people, channels] = [new Map<string, Place>(), new Map<string, Place>()]
  const workflows = new Map<string, 'on' | 'deleted'>()
  const waits = new Map<string, number>()
  const posted: Posted[] = []
  const requests: { path: string; authorization: string | undefined; body: string }[] = []
  const login = createLogin({
    ...teamsApp,
    redirectUris: options.redirectUris ?? [],
    ...(options.tokenLifeMs !== undefined && { tokenLifeMs: options.tokenLifeMs }),
    ...(options.singleTenant && { singleTenant: true }),
    now: () => now,
    visitor: () => visitor,
  })

  const post = (to: string, place: Place, activity: unknown): Answered => {
    const wait = (waits.get(to) ?? 0) - now
    if (wait > 0) {
      return { ...fault(429, 'Throttled', 'Too many requests.'), headers: { 'retry-after': String(wait / 1000) } }
    }
    if (Buffer.byteLength(JSON.stringify(activity ?? null), 'utf16le') > mostBytes) {
      return fault(413, 'MessageSizeTooBig', 'Message size too large.')
    }
    posted.push({ to, tenant: place.tenant, activity })
    return { status: 201, json: { id: String(++count) } }
  }

  const create = (body: Body): Answered => {
    const channelId = body.channelData?.channel?.id
    if (channelId !== undefined) return begin(channelId, body)
    const id = body.members?.[0]?.id
    if (body.isGroup || !id || body.bot?.id !== `28:${teamsApp.clientId}`) {
      return fault(400, 'BadSyntax', 'Bad format of conversation ID')
    }
    const place = people.get(id)
    if (!place || body.tenantId !== place.tenant) return fault(404, 'NotFound', 'Tenant or user not found')
    if (!place.isInstalled) {
      return fault(403, 'ForbiddenOperationException', "Bot isn't installed in user's personal scope")
    }
    return { status: 201, json: { id: place.chat } }
  }

  /** A thread in a channel begins with its first message. */
  const begin = (channelId: string, { activity, isGroup, channelData }: Body): Answered => {
    const channel = channels.get(channelId)
    const tenant = channelData?.tenant?.id ?? channel?.tenant
    if (!channel || tenant !== channel.tenant) return fault(404, 'ConversationNotFound', 'Conversation not found.')
    if (options.governmentTenants?.includes(channel.tenant)) {
      return fault(403, 'InvalidBotApiHost', 'Invalid bot api host. For GCC tenants, call another.')
    }
    if (!channel.isInstalled) {
      return fault(403, 'BotNotInConversationRoster', 'The bot is not part of the conversation roster.')
    }
    if (!isGroup || activity === undefined) return fault(400, 'BadArgument', 'A thread needs a message.')
    const { status, headers, json } = post(channelId, channel, activity)
    if (status !== 201) return { status, json, ...(headers && { headers }) }
    const id = String(count)
    return { status, json: { id: `${channelId};messageid=${id}`, activityId: id } }
  }

  const send = (chat: string, activity: unknown): Answered => {
    const [userId, place] = [...people].find(([, person]) => person.chat === chat) ?? []
    if (!userId || !place) return fault(404, 'ConversationNotFound', 'Conversation not found.')
    if (!place.isBlocked) return post(userId, place, activity)
    if (options.blocks === 'ConversationBlockedByUser') {
      return fault(403, 'ConversationBlockedByUser', 'User blocked the conversation with the bot.')
    }
    const details = { subCode: 'MessageWritesBlocked', details: 'Thread is blocked from message writes.' }
    return { status: 403, json: { errorCode: 209, message: JSON.stringify(details, null, 2) } }
  }

  /** It answers before the workflow has posted, and whatever the workflow makes of it. */
  const run = (name: string, body: unknown): Answered => {
    const state = workflows.get(name)
    if (!state) return { status: 404, json: { error: { code: 'WorkflowNotFound', message: 'No such workflow.' } } }
    if (state === 'deleted') {
      const message = `Could not execute: workflow '${name}' is in state 'Deleted'.`
      return { status: 400, json: { error: { code: 'WorkflowTriggerIsNotEnabled', message } } }
    }
    const { status, headers } = post(name, { tenant: '', isInstalled: true, isBlocked: false, chat: '' }, body)
    return status === 429 ? { status, ...(headers && { headers }) } : { status: 202 }
  }

  const answer = (request: IncomingMessage, body: string): Answered => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    const atLogin = login.answer(request.method ?? '', url, new URLSearchParams(body))
    if (atLogin) return atLogin
    const { authorization } = request.headers
    requests.push({ path: url.pathname, authorization, body })
    const workflow = /^\/workflows\/([^/]+)\/triggers\/manual\/paths\/invoke$/.exec(url.pathname)?.[1]
    if (workflow) return run(workflow, JSON.parse(body))
    const [isApi, chat] = /^\/teams\/v3\/conversations(?:\/([^/]+)\/activities)?$/.exec(url.pathname) ?? []
    if (isApi === undefined) return { status: 404, body: 'Not found' }
    if (!login.isBots(authorization)) {
      return { status: 401, json: { message: 'Authorization has been denied for this request.' } }
    }
    return chat === undefined ? create(JSON.parse(body)) : send(decodeURIComponent(chat), JSON.parse(body))
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { status, headers, json, body } = answer(request, Buffer.concat(chunks).toString('utf8'))
    const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' }
    response.writeHead(status, { ...type, ...headers }).end(json === undefined ? body : JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const placeIn = (tenant: string, isInstalled: boolean): Place => {
    return { tenant, isInstalled, isBlocked: false, chat: `a:${++count}` }
  }
  const change = (id: string, changes: Partial<Place>) => {
    const place = people.get(id) ?? channels.get(id)
    if (!place) throw new Error(`nobody added ${id}`)
    Object.assign(place, changes)
  }

  return {
    url,
    port,
    /** For the fields `host` and `baseUrl` of the integration. */
    authority: `${url}/organizations`,
    serviceUrl: `${url}/teams`,
    posted,
    /** What came to the Bot Connector and to workflows. */
    requests,
    now: () => new Date(now),
    advance(ms: number) {
      now += ms
    },
    /** Who presses the buttons of the login's pages from now on. */
    visitedBy(userId: string, tenant: string) {
      visitor = { userId, tenant }
    },
    addPerson: (id: string, tenant: string, isInstalled = true) => people.set(id, placeIn(tenant, isInstalled)),
    addChannel: (id: string, tenant: string, isInstalled = true) => channels.set(id, placeIn(tenant, isInstalled)),
    addWorkflow(name: string): string {
      workflows.set(name, 'on')
      return `${url}/workflows/${name}/triggers/manual/paths/invoke?sig=secret`
    },
    deleteWorkflow: (name: string) => workflows.set(name, 'deleted'),
    install: (id: string) => change(id, { isInstalled: true }),
    uninstall: (id: string) => change(id, { isInstalled: false }),
    block: (userId: string) => change(userId, { isBlocked: true }),
    /** The person removes the chat: its id is good no more. */
    removeChat: (userId: string) => change(userId, { chat: `a:${++count}` }),
    /** A person, a channel or a workflow takes nothing for so long. */
    throttle: (id: string, ms: number) => waits.set(id, now + ms),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type Teams = Awaited<ReturnType<typeof startTeams>>

type Body = {
  isGroup?: boolean
  bot?: { id?: string }
  members?: { id?: string }[]
  tenantId?: string
  channelData?: { channel?: { id?: string }; tenant?: { id?: string } }
  activity?: unknown
}

function fault(status: number, code: string, message: string): Answered {
  return { status, json: { error: { code, message } } }
}
