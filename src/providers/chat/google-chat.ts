import type { Http, HttpReply } from '../../lib/outbound.ts'
import type { ChatMessage } from '../message.ts'
import { type Outcome, readReply, reasonOf, retryAfterMs, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret } from '../provider.ts'
import { fetchGoogleToken, toGoogleAccount } from '../shared/fetch-token.ts'
import { parseJson } from '../shared/parse-json.ts'
import { field, listField, textField } from '../shared/reply-field.ts'
import { uuidOf } from '../shared/uuid-of.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * An app in a space, or an incoming webhook of one. Requests, sizes and quotas are those of the documentation and of
 * google/chat/v1 in github.com/googleapis/googleapis; in which words an app is refused is known from reports of users.
 *
 * An app sends a `requestId`: the same one returns the message that was made. Nothing says for how long, nor whether a
 * webhook takes one, so no time is declared: a message in doubt is treated as one that may come twice, and an app's
 * second try does not make a second message.
 */
export default defineProvider({
  id: 'google-chat',
  channel: 'chat',
  displayName: 'Google Chat',
  documentation: 'https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create',
  verified: 'documentation in part',
  address: 'none',
  endpoints: ['google_chat_space', 'webhook'],
  credentials: {
    serviceAccount: named(
      optional(secret),
      'Service account (JSON)',
      'The whole file, of the Google Cloud project that has the Chat app. Not needed for webhooks.',
    ),
  },
  needs: 'A service account for spaces; nothing for webhooks',

  async send({ credentials, message, http, cached, now }) {
    const body = toBody(message)
    const tooLarge = refuseLarge(body)
    if (tooLarge) return tooLarge
    if (message.to?.type === 'webhook') return postToWebhook(message, body, http)
    const space = message.to?.type === 'google_chat_space' ? message.to.endpoint.spaceId.replace(/^spaces\//, '') : ''
    if (space === '')
      return { kind: 'rejected', reason: 'Google Chat sends to a space or to a webhook, and got neither' }
    const { serviceAccount } = credentials
    if (serviceAccount === undefined) return noAccount
    const access = await cached('access token', () => fetchAccess(serviceAccount, http, now))
    if ('fault' in access) return access.fault
    const answer = await http({
      url: `https://chat.googleapis.com/v1/spaces/${encodeURIComponent(space)}/messages?${queryOf(message, true)}`,
      headers: { ...jsonType, authorization: `Bearer ${access.token}` },
      json: body,
    })
    return readReply(answer, { success, failure: (reply) => failOfApp(reply, message) })
  },

  async check({ credentials, http, now }) {
    // Only webhooks are used, and none of them is known here.
    if (credentials.serviceAccount === undefined) return { kind: 'ok' }
    const access = await fetchAccess(credentials.serviceAccount, http, now)
    if ('token' in access) return { kind: 'ok' }
    return { kind: access.fault.kind === 'rejected' ? 'refused' : 'unreachable', reason: access.fault.reason }
  },
})

const jsonType = { 'content-type': 'application/json; charset=UTF-8' }

const noAccount = {
  kind: 'rejected',
  reason: 'the integration has no serviceAccount, without which only webhooks can be posted to',
} as const satisfies Outcome

async function fetchAccess(serviceAccount: string, http: Http, now: Date) {
  const account = toGoogleAccount(serviceAccount)
  if (account) return fetchGoogleToken(http, { account, scope: 'https://www.googleapis.com/auth/chat.bot', now })
  const reason = 'serviceAccount is not the JSON of a service account, with client_email and private_key'
  return { fault: { kind: 'rejected', reason, because: 'integration' } as const }
}

/** Everything that a webhook refuses or limits is its own. */
async function postToWebhook(message: ChatMessage, body: object, http: Http): Promise<Outcome> {
  const base = message.webhookUrl
  const query = queryOf(message, false)
  const url = query === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${query}`
  const answer = await http({ url, headers: jsonType, json: body })
  const failure = (reply: HttpReply) => (isGone(reply, message) ? toGone(reply) : undefined)
  return withoutUrl(readReply(answer, { success, failure, ofTarget: true }), url)
}

/** A template may write a whole message or a card as JSON; anything else is the text. */
function toBody({ content, overrides }: ChatMessage): Record<string, unknown> {
  const { messageReplyOption: _, ...rest } = overrides
  const written = content.trimStart().startsWith('{') ? parseJson(content) : undefined
  if (typeof written === 'object' && written !== null) {
    if ('text' in written || 'cardsV2' in written) return { ...written, ...rest }
    if ('sections' in written) return { cardsV2: [{ cardId: 'card', card: written }], ...rest }
  }
  return { text: content, ...rest }
}

/** Without the option Google overlooks the thread. Whoever names one wants the message there. */
function queryOf({ key, overrides, webhookUrl, to }: ChatMessage, isApp: boolean): string {
  const query = new URLSearchParams(isApp ? { requestId: uuidOf(key) } : {})
  const known = to?.type === 'webhook' ? URL.parse(webhookUrl)?.searchParams.get('messageReplyOption') : undefined
  const usual = overrides.thread !== undefined && !known ? 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD' : undefined
  const option = overrides.messageReplyOption ?? usual
  if (typeof option === 'string') query.set('messageReplyOption', option)
  return query.toString()
}

const mostBytes = 32_000

/** The texts alone: how Google counts what is around them is not documented, and nothing that fits is refused here. */
function refuseLarge(body: object): Outcome | undefined {
  let bytes = 0
  const parts: unknown[] = [body]
  while (parts.length > 0) {
    const part = parts.pop()
    if (typeof part === 'string') bytes += Buffer.byteLength(part)
    else if (typeof part === 'object' && part !== null) for (const each of Object.values(part)) parts.push(each)
  }
  if (bytes <= mostBytes) return undefined
  const [size, most] = [bytes, mostBytes].map((count) => count.toLocaleString('en-US'))
  return { kind: 'rejected', reason: `the message has ${size} bytes of text; Google Chat takes ${most}: shorten it` }
}

function success(reply: HttpReply): Outcome {
  return sentWith(field(reply.json, 'name'), reply)
}

/**
 * What Google's own front says has an ErrorInfo of googleapis.com and is about the project: the API is not enabled, the
 * scope is missing, a quota is used up. What Chat says has none and is about the space.
 */
function projectErrorOf({ json }: HttpReply): unknown {
  return listField(json, 'error.details').find(
    (it) => textField(it, '@type').endsWith('google.rpc.ErrorInfo') && field(it, 'domain') === 'googleapis.com',
  )
}

function failOfApp(reply: HttpReply, message: ChatMessage): Outcome | undefined {
  const reason = reasonOf(reply)
  const projectError = projectErrorOf(reply)
  switch (reply.status) {
    case 403:
      // Not a member of the space, or its administrator allows the app no messages: other spaces may.
      return { kind: 'rejected', reason, ...(projectError !== undefined && { because: 'integration' }) }
    case 404:
      // The project has no Chat app.
      if (/Chat app not found/i.test(reason)) return { kind: 'rejected', reason, because: 'integration' }
      return isGone(reply, message) ? toGone(reply) : undefined
    case 429:
      return toPause(reply, textField(projectError, 'metadata.quota_limit'))
  }
  return undefined
}

/** A reply to a thread that is missing, where the trigger wants no other, is a 404 too. */
function isGone({ status, json }: HttpReply, { overrides, webhookUrl }: ChatMessage): boolean {
  const wantsThread = [overrides.messageReplyOption, webhookUrl].some((it) => /REPLY_MESSAGE_OR_FAIL/.test(String(it)))
  return status === 404 && field(json, 'error.status') === 'NOT_FOUND' && !wantsThread
}

function toGone(reply: HttpReply): Outcome {
  return { kind: 'rejected', reason: reasonOf(reply), because: 'gone' }
}

/**
 * A space takes one message in a second, from all apps together; a project sends fifty
 * (https://developers.google.com/workspace/chat/limits). Unless the quota that was used up names the project, it is the
 * space's.
 */
function toPause(reply: HttpReply, quota: string): Outcome {
  const afterMs = retryAfterMs(reply.headers['retry-after'])
  const paces = /project/i.test(quota) && !/space/i.test(quota) ? true : 'target'
  return { kind: 'retry', reason: reasonOf(reply), paces, ...(afterMs !== undefined && { afterMs }) }
}
