import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, secret, text, url } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'rocket-chat',
  channel: 'chat',
  displayName: 'Rocket.Chat',
  documentation: 'https://developer.rocket.chat/apidocs/send-message',
  verified: 'documentation in part',
  // the id of the room
  address: 'channel',
  credentials: {
    user: named(text, 'User ID', 'Shown together with a new personal access token.'),
    token: named(secret, 'Personal access token', 'Of the user whom the messages are from.'),
    baseUrl: named(url, 'Workspace URL', 'Such as https://chat.example.com.'),
  },
  // It takes an `_id` once for as long as it keeps the message; its documentation promises no time, a day is our guess.
  idempotencyWindowMs: 24 * 3_600_000,

  async send({ credentials, message, http }) {
    const base = credentials.baseUrl
    // It was optional once. A subscriber's webhookUrl does not say where the token may go.
    if (!URL.canParse(base)) {
      return { kind: 'rejected', reason: 'the integration needs a baseUrl, the workspace', because: 'integration' }
    }
    const id = message.key
    const headers = headersOf(credentials)
    const answer = await http({
      url: apiOf(base, 'chat.sendMessage'),
      headers,
      json: { message: { msg: message.content, ...message.overrides, _id: id, rid: message.channel } },
    })
    const outcome = readReply(answer, { success })
    if (answer.kind === 'fault' || answer.status !== 400) return outcome
    // It stumbles over an `_id` that it has already. Whether that was it, only the message itself can tell.
    const found = await http({ method: 'GET', url: apiOf(base, 'chat.getMessage', { msgId: id }), headers })
    if (found.kind === 'reply' && field(found.json, 'message._id') === id) return { kind: 'sent', id }
    const isMissing = found.kind === 'reply' && (found.status === 400 || found.status === 404)
    return isMissing ? outcome : { kind: 'unknown', reason: 'it refused, and did not say whether it has the message' }
  },

  async check({ credentials, http }) {
    const answer = await http({ method: 'GET', url: apiOf(credentials.baseUrl, 'me'), headers: headersOf(credentials) })
    return readCheck(answer)
  },
})

function headersOf({ user, token }: { user: string; token: string }) {
  return { 'x-user-id': user, 'x-auth-token': token }
}

/** A workspace may live under a path. */
function apiOf(base: string, method: string, query: Record<string, string> = {}): string {
  const api = new URL(`api/v1/${method}`, base.endsWith('/') ? base : `${base}/`)
  for (const [name, value] of Object.entries(query)) api.searchParams.set(name, value)
  return api.href
}

function success(reply: HttpReply): Outcome {
  if (field(reply.json, 'success') === false) return { kind: 'rejected', reason: reasonOf(reply) }
  return sentWith(field(reply.json, 'message._id'), reply)
}
