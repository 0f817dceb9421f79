import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { signJwt } from '../shared/jwt.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * Stream's own API, or with a `baseUrl` a relay: the subscriber's URL is the channel's, or one of the relay. The keys go
 * only to the server that they are for, because anybody may name a URL. Settled by openapi/chat-openapi.yaml of
 * https://github.com/GetStream/protocol (SendMessage, securitySchemes) and by src/signing.ts, src/client.ts and
 * src/errors.ts of https://github.com/GetStream/stream-chat-js.
 */
export default defineProvider({
  id: 'getstream',
  channel: 'chat',
  displayName: 'GetStream',
  documentation: 'https://getstream.io/chat/docs/node/send_message/',
  verified: 'documentation in part',
  traceable: true,
  needs: 'The API key, and the secret of the Stream app with a sender or the URL of a relay',
  credentials: {
    apiKey: named(secret, 'API key', 'Of the Stream app, on its dashboard.'),
    secretKey: named(optional(secret), 'API secret', 'Of the same app. A relay does not need it.'),
    senderId: named(
      optional(text),
      'User ID of the sender',
      'The user of the Stream app whom the messages are from. A relay does not need it.',
    ),
    baseUrl: named(
      optional(url),
      'URL of a relay',
      "Only where a server of your own passes messages on: the subscribers' URLs must be on it. It gets the API key as X-API-Key.",
    ),
  },
  missing({ baseUrl, ...app }) {
    return baseUrl ? [] : (['secretKey', 'senderId'] as const).filter((name) => !app[name])
  },

  async send({ credentials, message, http }) {
    const { apiKey, secretKey, senderId, baseUrl } = credentials
    const { webhookUrl, content, overrides } = message
    if (baseUrl) {
      if (!isOn(baseUrl, webhookUrl)) return foreign
      const json = { text: content, tidings_message_id: message.id, ...overrides }
      const answer = await http({ url: webhookUrl, headers: { 'x-api-key': apiKey }, json })
      return withoutUrl(readReply(answer, { ofTarget: true }), webhookUrl)
    }
    if (!isStreams(webhookUrl)) return foreign
    if (!secretKey || !senderId) return incomplete
    const answer = await http({
      url: withKey(webhookUrl, apiKey),
      headers: {
        authorization: signJwt({ alg: 'HS256', claims: { server: true }, key: secretKey }),
        'stream-auth-type': 'jwt',
      },
      json: { message: { text: content, ...overrides, id: message.key, user_id: senderId } },
    })
    const success = (reply: HttpReply) => sentWith(field(reply.json, 'message.id'), reply)
    return readReply(answer, { success, failure: (reply) => failure(reply, message.key) })
  },
})

const foreign = {
  kind: 'rejected',
  reason:
    "the webhookUrl is neither the URL of a channel's messages at Stream (…/channels/{type}/{id}/message) nor, with a baseUrl, on that server; the apiKey is sent to no other",
} as const

const incomplete = {
  kind: 'rejected',
  reason: 'the integration needs the secretKey of the Stream app and the senderId, or the baseUrl of a relay',
  because: 'integration',
} as const

function isOn(baseUrl: string, webhookUrl: string): boolean {
  const place = URL.parse(webhookUrl)
  return place !== null && place.origin === URL.parse(baseUrl)?.origin
}

/** A token of the server may do anything: it goes where messages are posted, and nowhere else. */
function isStreams(webhookUrl: string): boolean {
  const place = URL.parse(webhookUrl)
  if (place?.protocol !== 'https:' || !/(^|\.)(stream-io-api\.com|getstream\.io)$/.test(place.hostname)) return false
  return /^\/channels\/[^/]+\/[^/]+\/message$/.test(place.pathname)
}

function withKey(webhookUrl: string, apiKey: string): string {
  const place = new URL(webhookUrl)
  place.searchParams.set('api_key', apiKey)
  return place.href
}

function failure(reply: HttpReply, id: string): Outcome | undefined {
  const words = String(field(reply.json, 'message'))
  const code = field(reply.json, 'code')
  // InputError. Stream's own clients take it for sent: https://github.com/GetStream/stream-chat-swift/pull/3061
  if (code === 4 && words.includes(id) && words.includes('already exists')) return { kind: 'sent', id }
  // DoesNotExistError, of a channel or of a user.
  const isGone = code === 16 && /can't find channel/i.test(words)
  return isGone ? { kind: 'rejected', reason: reasonOf(reply), because: 'gone' } : undefined
}
