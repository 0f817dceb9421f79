import type { Http, HttpReply } from '../../lib/outbound.ts'
import type { Connection } from '../connect.ts'
import type { ChatMessage } from '../message.ts'
import { slackOAuth, slackUrl } from '../oauth/slack.ts'
import { type CheckResult, type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, flag, link, named, optional, secret, text, url } from '../provider.ts'
import { joinUrl } from '../shared/join-url.ts'
import { parseJson } from '../shared/parse-json.ts'
import { field, listField, textField } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * Incoming webhooks, which need no credentials, and the bot of an app, which posts to channels and people. Settled by
 * https://docs.slack.dev/reference/methods/chat.postMessage, which takes the id of a person as `channel` with the scope
 * `chat:write`, and https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks; the words for
 * hooks that were removed (`no_service` and the like) are general knowledge.
 *
 * Slack documents no idempotency key: `client_msg_id` is named by two errors, and is no argument. What the bot posts
 * carries our id in its metadata; what a webhook posts cannot, so the provider as a whole is not `traceable`.
 */
export default defineProvider({
  id: 'slack',
  channel: 'chat',
  displayName: 'Slack',
  documentation: 'https://docs.slack.dev/reference/methods/chat.postMessage',
  verified: 'documentation in part',
  needs: "Each person's own webhook, or a Slack app of yours",
  usesSubscriberWebhook: true,
  endpoints: ['slack_channel', 'slack_user', 'webhook'],
  credentials: {
    clientId: optional(
      named(text, 'Client ID', "Of your Slack app, under 'Basic Information'; only to install it in workspaces."),
    ),
    secretKey: optional(named(secret, 'Client secret', 'Next to the client ID.')),
    apiToken: optional(
      named(secret, 'Bot token', 'It starts with xoxb-; only to post to your own workspace without installing there.'),
    ),
    redirectUrl: optional(named(link, 'Redirect URL', 'Where people are sent after they installed the app.')),
    hmac: named(
      flag,
      'Demand a subscriber hash',
      'Browsers then connect and link only people your server vouches for.',
    ),
    baseUrl: optional(named(url, 'Slack URL', 'Only for GovSlack: https://slack-gov.com.')),
  },
  oauth: slackOAuth,

  async send({ credentials, message, http, connection }) {
    const { to } = message
    if (to?.type !== 'slack_channel' && to?.type !== 'slack_user') return postToSlack({ message, http })
    const bot = botOf(credentials.apiToken, connection)
    if (!bot) return { kind: 'rejected', reason: noToken }
    const channel = to.type === 'slack_user' ? to.endpoint.userId : to.endpoint.channelId
    const answer = await http({
      url: joinUrl(slackUrl(credentials), 'api/chat.postMessage'),
      headers: { authorization: `Bearer ${bot.token}`, 'content-type': 'application/json; charset=utf-8' },
      json: toBody(message, channel),
    })
    const readError = (reply: HttpReply) => toOutcome(reply, bot.of)
    return readReply(answer, {
      success: (reply) => (field(reply.json, 'ok') === false ? readError(reply) : toSent(reply)),
      failure: (reply) => (isOurs(reply) ? readError(reply) : undefined),
    })
  },

  async check({ credentials, http }): Promise<CheckResult> {
    const { apiToken } = credentials
    if (!apiToken) return { kind: 'unreachable', reason: 'without a bot token there is nothing that can be asked' }
    const headers = { authorization: `Bearer ${apiToken}` }
    const answer = await http({ url: joinUrl(slackUrl(credentials), 'api/auth.test'), headers, form: {} })
    const isNo = answer.kind === 'reply' && answer.status < 300 && field(answer.json, 'ok') !== true
    if (!isNo) return readCheck(answer)
    const isRefused = ofToken.includes(textField(answer.json, 'error')) || textField(answer.json, 'error') === expired
    return { kind: isRefused ? 'refused' : 'unreachable', reason: reasonOf(answer) }
  },
})

const noToken =
  'there is no bot token: install the app in the workspace and name this connection, or give the integration a bot token'

type Bot = { token: string; of: 'connection' | 'integration' }

/** Whose token is refused tells who has to act. In a workspace of its own the integration's token means nothing. */
function botOf(apiToken: string | undefined, connection: Connection | undefined): Bot | undefined {
  if (connection) return connection.accessToken ? { token: connection.accessToken, of: 'connection' } : undefined
  return apiToken ? { token: apiToken, of: 'integration' } : undefined
}

function toBody({ id, content, overrides }: ChatMessage, channel: string): object {
  const body: Record<string, unknown> = { ...toContent(content), ...overrides }
  return { ...body, channel, metadata: withId(body.metadata, id) }
}

/** A template may write blocks as JSON, alone or in an object with the text for notifications. */
function toContent(content: string): object {
  const written = /^\s*[[{]/.test(content) ? parseJson(content) : undefined
  if (Array.isArray(written) && written.length > 0 && written.every((block) => textField(block, 'type'))) {
    return { blocks: written }
  }
  const isMessage = typeof written === 'object' && written !== null && Array.isArray(field(written, 'blocks'))
  return isMessage ? written : { text: content }
}

/** A template or a trigger may have metadata of its own. */
function withId(own: unknown, id: string): object {
  const payload = field(own, 'event_payload')
  return {
    event_type: 'tidings_message',
    ...(typeof own === 'object' && own),
    event_payload: { ...(typeof payload === 'object' && payload), tidings_message_id: id },
  }
}

/** A message is known by its time, within its channel; a person's is a conversation that Slack names. */
function toSent(reply: HttpReply): Outcome {
  const channel = textField(reply.json, 'channel')
  const sent = sentWith(field(reply.json, 'ts'), reply)
  return sent.kind === 'sent' && channel ? { ...sent, id: `${channel}:${sent.id}` } : sent
}

/** Slack limits and refuses in its own words; any other answer comes from before it. */
function isOurs({ status, json }: HttpReply): boolean {
  return status === 429 || (status < 500 && field(json, 'ok') === false)
}

const expired = 'token_expired'
/** Everybody in the workspace is refused until somebody acts there, or at the app. */
const ofToken = [
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'missing_scope',
  'not_allowed_token_type',
  'is_bot',
  'org_login_required',
  'team_access_not_granted',
  'two_factor_setup_required',
  'enterprise_is_restricted',
  'accesslimited',
]
/** Slack takes this method from nobody any more, or the URL is not Slack's. */
const ofMethod = ['unknown_method', 'method_deprecated', 'deprecated_endpoint']
/**
 * One message a second for a channel, several hundred a minute for an app in a workspace: the answer does not say which.
 * Neither reaches beyond the workspace, so only what goes to this channel waits.
 */
const limits = ['ratelimited', 'rate_limited', 'message_limit_exceeded']
const passing = ['service_unavailable', 'team_added_to_org', 'request_timeout']
/** Slack says itself that a part of it may have been done. */
const unclear = ['internal_error', 'fatal_error']

/**
 * All other errors are about this message or this channel. None says that a channel is gone: `channel_not_found` is also
 * a private channel that the bot is not in, and an archived one may come back.
 */
function toOutcome(reply: HttpReply, of: Bot['of']): Outcome {
  const error = textField(reply.json, 'error')
  const reason = reasonIn(reply, error)
  if (reply.status === 429 || limits.includes(error)) {
    const limited = readReply({ ...reply, status: 429 }, { ofTarget: true })
    return limited.kind === 'retry' ? { ...limited, reason } : limited
  }
  // Nobody can renew the integration's own token but the person who gave it.
  if (error === expired && of === 'connection') return { kind: 'retry', reason, renew: true }
  if (error === expired || ofToken.includes(error)) return { kind: 'rejected', reason, because: of }
  if (ofMethod.includes(error)) return { kind: 'rejected', reason, because: 'integration' }
  if (passing.includes(error)) return { kind: 'retry', reason }
  if (unclear.includes(error) || !error) return { kind: 'unknown', reason }
  return { kind: 'rejected', reason }
}

const hints: Readonly<Record<string, string>> = {
  channel_not_found: 'no such channel, or the bot is not in it',
  not_in_channel: 'invite the bot to the channel, or install the app with chat:write.public',
  messages_tab_disabled: "switch on the Messages Tab in the app's App Home",
}

/** With what Slack adds: the scope that is missing, what is wrong in a block. */
function reasonIn(reply: HttpReply, error: string): string {
  const needed = textField(reply.json, 'needed')
  const more = [
    Object.hasOwn(hints, error) ? hints[error] : '',
    needed && `needs ${needed}`,
    ...listField(reply.json, 'response_metadata.messages').filter((it) => typeof it === 'string'),
  ].filter(Boolean)
  return [reasonOf(reply), ...more].join('; ').slice(0, 500)
}

export async function postToSlack({ message, http }: { message: ChatMessage; http: Http }): Promise<Outcome> {
  const answer = await http({ url: message.webhookUrl, json: { text: message.content, ...message.overrides } })
  const failure = (reply: HttpReply) => (isGone(reply, message) ? toGone(reply) : undefined)
  return withoutUrl(readReply(answer, { success, failure, ofTarget: true }), message.webhookUrl)
}

/** `ok`, or `{"ok":true}` from the triggers of workflows. */
function success(reply: HttpReply): Outcome {
  if (reply.text.trim() === 'ok' || field(reply.json, 'ok') === true) return { kind: 'sent' }
  if (field(reply.json, 'ok') === false) return { kind: 'rejected', reason: reasonOf(reply) }
  return { kind: 'unknown', reason: `answered without ok: ${reply.text.slice(0, 200)}` }
}

/** The hook, its app or its workspace is no more. An archived channel and hooks that are switched off may come back. */
const gone = ['no_service', 'no_service_id', 'no_team', 'invalid_token']

/** Older hooks post to any channel that a trigger names: that one is missing, not the hook's. */
function isGone({ text }: HttpReply, { overrides }: ChatMessage): boolean {
  const words = text.trim()
  return gone.includes(words) || (words === 'channel_not_found' && overrides.channel === undefined)
}

function toGone(reply: HttpReply): Outcome {
  return { kind: 'rejected', reason: reasonOf(reply), because: 'gone' }
}
