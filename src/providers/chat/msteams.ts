import type { Fault, Http, HttpReply } from '../../lib/outbound.ts'
import { appTokenRequest, microsoftOAuth } from '../oauth/microsoft.ts'
import { type Outcome, readCheck, readReply, reasonOf, retryAfterMs, sentWith } from '../outcome.ts'
import { defineProvider, flag, link, named, optional, secret, text, url } from '../provider.ts'
import type { TokenCache } from '../provider-tools.ts'
import { fetchToken } from '../shared/fetch-token.ts'
import { joinUrl } from '../shared/join-url.ts'
import { parseJson } from '../shared/parse-json.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * By webhooks of Workflows, which need no credentials, or by a bot, through the Bot Connector: the calls are those of
 * teamsInfo.ts (sendMessageToTeamsChannel) and botFrameworkAdapter.ts (createConversation) of botbuilder-js, the errors
 * those of https://learn.microsoft.com/en-us/microsoftteams/platform/bots/build-conversational-capability. Microsoft has
 * retired Office 365 connectors, the older webhooks: what they answered is still understood where one is left. How
 * Workflows refuse is known from reports of their users.
 */
export default defineProvider({
  id: 'msteams',
  channel: 'chat',
  displayName: 'MSTeams',
  documentation:
    'https://learn.microsoft.com/en-us/microsoftteams/platform/bots/how-to/conversations/send-proactive-messages',
  verified: 'documentation in part',
  usesSubscriberWebhook: true,
  endpoints: ['ms_teams_channel', 'ms_teams_user', 'webhook'],
  needs: 'Nothing for webhooks of Workflows; for the bot its client ID, client secret and tenant',
  credentials: {
    clientId: named(
      optional(text),
      'App (client) ID',
      'Of the app registration of the bot, at https://entra.microsoft.com. Only for the bot, as the fields below.',
    ),
    secretKey: named(
      optional(secret),
      'Client secret',
      'The value, not the ID, under Certificates & secrets of the app registration.',
    ),
    domain: named(
      optional(text),
      'Directory (tenant) ID',
      'Where the bot is registered. Leave it empty only for an older bot of the type Multi Tenant.',
    ),
    baseUrl: named(
      optional(url),
      'Service URL',
      'https://smba.trafficmanager.net/teams unless given; GCC: https://smba.infra.gcc.teams.microsoft.com/gcc, GCC High: https://smba.infra.gov.teams.microsoft.us/gcch.',
    ),
    host: named(
      optional(url),
      'Authority',
      'https://login.microsoftonline.com/organizations unless given. Where the app registration is for a single tenant, that tenant instead of organizations; of a national cloud its host, such as login.microsoftonline.us.',
    ),
    redirectUrl: named(
      optional(link),
      'Redirect URL',
      'Where people are sent after they connected a tenant or linked themselves.',
    ),
    hmac: named(
      flag,
      'Demand a subscriber hash',
      'Browsers then connect and link only people your server vouches for.',
    ),
  },
  oauth: microsoftOAuth,

  async send({ credentials, message, http, cached, connection }) {
    const { to } = message
    const content = { ...toMessage(message.content), ...message.overrides }
    if (to?.type !== 'ms_teams_channel' && to?.type !== 'ms_teams_user') {
      return postWebhook(http, message.webhookUrl, content)
    }
    const request = appTokenRequest(credentials, { of: 'bot' })
    if (!request) return { kind: 'rejected', reason: incomplete, because: 'integration' }
    const token = await cached('bot', () => fetchToken(http, request))
    if ('fault' in token) return token.fault
    const service = credentials.baseUrl || publicService
    const headers = { authorization: `Bearer ${token.token}` }
    const bot: Bot = {
      id: `28:${credentials.clientId}`,
      tenant: connection?.workspace.id ?? credentials.domain,
      call: (path, json) => http({ url: joinUrl(service, `v3/conversations${path}`), headers, json }),
      readers: { success: posted, failure: (reply) => readRefusal(reply, connection ? 'connection' : 'integration') },
      cached,
    }
    const activity = { type: 'message', ...content }
    return to.type === 'ms_teams_channel'
      ? postInChannel(bot, to.endpoint.channelId, activity)
      : postToPerson(bot, to.endpoint.userId, activity)
  },

  async check({ credentials, http }) {
    const { clientId, secretKey } = credentials
    // Webhooks need none.
    if (!clientId && !secretKey) return { kind: 'ok' }
    const request = appTokenRequest(credentials, { of: 'bot' })
    return request ? readCheck(await http(request)) : { kind: 'refused', reason: incomplete }
  },
})

const incomplete = 'the bot needs clientId, secretKey and domain (its tenant)'
const noTenant = 'the bot needs to know the tenant: by a connection, or as domain'
// https://learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference, base URI.
const publicService = 'https://smba.trafficmanager.net/teams'
// The documentation asks to create a chat once and to store its id.
const chatKeptMs = 24 * 3_600_000

type Bot = {
  id: string
  tenant: string | undefined
  call(path: string, json: object): Promise<HttpReply | Fault>
  readers: Required<Pick<NonNullable<Parameters<typeof readReply>[1]>, 'success' | 'failure'>>
  cached: TokenCache
}

/** One call begins a thread in the channel with the message. */
async function postInChannel({ tenant, call, readers }: Bot, id: string, activity: object): Promise<Outcome> {
  const channelData = { channel: { id }, ...(tenant && { tenant: { id: tenant } }) }
  return readReply(await call('', { isGroup: true, channelData, activity }), readers)
}

async function postToPerson(bot: Bot, userId: string, activity: object): Promise<Outcome> {
  const { tenant, call, readers, cached } = bot
  if (!tenant) return { kind: 'rejected', reason: noTenant, because: 'integration' }
  const open = () => openChat(bot, tenant, userId)
  const post = (id: string) => call(`/${encodeURIComponent(id)}/activities`, activity)
  const name = `chat ${tenant} ${userId}`
  const kept = await cached(name, open)
  if ('fault' in kept) return kept.fault
  const answer = await post(kept.token)
  const outcome = readReply(answer, readers)
  if (answer.kind === 'fault' || answer.status !== 404) return outcome
  // A person can remove a chat: the next one has another id (github.com/MicrosoftDocs/msteams-docs/issues/14079).
  const opened = await cached(name, open, kept.token)
  if ('fault' in opened) return opened.fault
  return opened.token === kept.token ? outcome : readReply(await post(opened.token), readers)
}

/**
 * An object id of Entra is taken as an `id` only, like Teams' own ids (the same issue). Nothing is posted yet, so what is
 * not clear is a retry; a repetition finds the same chat.
 */
async function openChat({ id, call, readers }: Bot, tenantId: string, userId: string) {
  const channelData = { tenant: { id: tenantId } }
  const answer = await call('', { isGroup: false, bot: { id }, members: [{ id: userId }], tenantId, channelData })
  const outcome = readReply(answer, { ...readers, success: (reply) => sentWith(field(reply.json, 'id'), reply) })
  if (outcome.kind === 'sent') return { token: outcome.id ?? '', expiresInMs: chatKeptMs }
  return { fault: outcome.kind === 'unknown' ? ({ kind: 'retry', reason: outcome.reason } as const) : outcome }
}

function posted(reply: HttpReply): Outcome {
  return sentWith(field(reply.json, 'activityId') ?? field(reply.json, 'id'), reply)
}

// The second is inside a text of JSON.
const blocked = /"(ConversationBlockedByUser|MessageWritesBlocked)\\?"/

const blockedReason = '403 the bot was blocked or removed in this chat'

/** `everybody`: who is meant by a refusal of the whole tenant. */
function readRefusal(reply: HttpReply, everybody: 'connection' | 'integration'): Outcome | undefined {
  const { status, headers, json, text } = reply
  const reason = reasonOf(reply)
  const code = field(json, 'error.code')
  switch (status) {
    case 403:
      if (code === 'InvalidBotApiHost') return { kind: 'rejected', reason, because: everybody }
      // The documentation asks to stop. A bot that is only not installed may be tomorrow, and nobody tells us.
      if (blocked.test(text)) return { kind: 'rejected', reason: blockedReason, because: 'gone' }
      return { kind: 'rejected', reason }
    case 404:
      // Without a code of Teams the service URL may be wrong.
      if (typeof code !== 'string' || code === 'BotNotInConversationRoster') return { kind: 'rejected', reason }
      return { kind: 'rejected', reason, because: 'gone' }
    case 412:
    case 429: {
      // Too much at once in one conversation: the limit is of a bot in a thread.
      const afterMs = retryAfterMs(headers['retry-after'])
      return { kind: 'retry', reason, paces: 'target', ...(afterMs !== undefined && { afterMs }) }
    }
    case 502:
      // By its own word a service behind it failed, and it asks for another try; a gateway knows nothing.
      return code === 'ServiceError' ? { kind: 'retry', reason } : undefined
    default:
      return undefined
  }
}

// https://learn.microsoft.com/en-us/connectors/teams/, known issues: "approximately 28 KB".
const mostOfWorkflow = 28 * 1024

/** A workflow answers 202 before it posts, so nobody would hear that its message was too large. */
async function postWebhook(http: Http, webhookUrl: string, json: object): Promise<Outcome> {
  if (Buffer.byteLength(JSON.stringify(json)) > mostOfWorkflow) {
    return { kind: 'rejected', reason: 'the message has more than the 28 KB that a workflow can post' }
  }
  const outcome = readReply(await http({ url: webhookUrl, json }), { success, failure, ofTarget: true })
  return withoutUrl(outcome, webhookUrl)
}

/** A template may write a whole card, or a whole message, as JSON; any other content becomes the text of a card. */
function toMessage(content: string): object {
  const parsed = content.trimStart().startsWith('{') ? parseJson(content) : undefined
  const written = typeof parsed === 'object' && parsed !== null ? parsed : undefined
  if (written && field(written, 'type') !== 'AdaptiveCard') return written
  const card = written ?? {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', text: content, wrap: true }],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] }
}

/** Workflows answer 202 and nothing. Connectors answered 200 and `1`, or told in words what Teams said to them. */
function success(reply: HttpReply): Outcome {
  const status = /returned HTTP error (\d{3})/.exec(reply.text)?.[1]
  if (!status) return { kind: 'sent' }
  const reason = reasonOf(reply)
  if (status === '429') return { kind: 'retry', reason, paces: 'target' }
  return { kind: status.startsWith('4') ? 'rejected' : 'unknown', reason }
}

/** A workflow that was deleted says so as a trigger that is not enabled; one that is only switched off may come back. */
function failure(reply: HttpReply): Outcome | undefined {
  const code = field(reply.json, 'error.code')
  const isDeleted =
    code === 'WorkflowTriggerIsNotEnabled' && /'Deleted'/.test(String(field(reply.json, 'error.message')))
  const isGone = reply.status === 410 || code === 'WorkflowNotFound' || isDeleted
  return isGone ? { kind: 'rejected', reason: reasonOf(reply), because: 'gone' } : undefined
}
