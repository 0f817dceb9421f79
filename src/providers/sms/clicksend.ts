import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { field } from '../shared/reply-field.ts'

/** Request and reply: the vendor's https://github.com/ClickSend/clicksend-mcp-server, src/openapi-specs.yaml. */
export default defineProvider({
  id: 'clicksend',
  channel: 'sms',
  displayName: 'Clicksend',
  documentation: 'https://developers.clicksend.com/docs/#application-status-codes',
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    user: named(text, 'Username', 'On the page “API credentials” of the dashboard.'),
    apiKey: named(secret, 'API key', 'Beside the username; not the password.'),
    from: named(optional(text), 'Sender ID', 'A number or name of the account; a shared number unless given.'),
  },

  async send({ credentials, message, http, now }) {
    const answer = await http({
      url: 'https://rest.clicksend.com/v3/sms/send',
      headers: { authorization: basicAuth(credentials.user, credentials.apiKey) },
      json: {
        messages: [
          {
            source: 'tidings',
            from: message.from,
            to: message.to,
            body: message.content,
            custom_string: message.id,
            ...message.overrides,
          },
        ],
      },
    })
    return readReply(answer, { success: (reply) => readStatus(reply, message.firstTriedAt < now) })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://rest.clicksend.com/v3/account',
        headers: { authorization: basicAuth(credentials.user, credentials.apiKey) },
      }),
    ),
})

const accountStatuses = [
  'INSUFFICIENT_CREDIT',
  'INVALID_CREDENTIALS',
  'MISSING_CREDENTIALS',
  'ACCOUNT_NOT_ACTIVATED',
  'UNAUTHORIZED',
  'FORBIDDEN',
]

/** 200 is for the request; each message has a status of its own. */
function readStatus(reply: HttpReply, isRepetition: boolean): Outcome {
  const status = field(reply.json, 'data.messages.0.status')
  if (status === 'SUCCESS') return sentWith(field(reply.json, 'data.messages.0.message_id'), reply)
  const reason = `${reply.status} ${status ?? 'blocked'}`
  // The same text went to the same number a moment ago: in an earlier try of ours, or in another message.
  if (status === 'THROTTLED') return { kind: isRepetition ? 'unknown' : 'retry', reason }
  if (accountStatuses.some((known) => known === status)) return { kind: 'rejected', reason, because: 'integration' }
  if (/^(INVALID|EMPTY|MISSING|TOO_MANY|BAD_REQUEST|COUNTRY_NOT)/.test(String(status))) {
    return { kind: 'rejected', reason }
  }
  // `blocked_count`: how many of the messages it would not send. Ours is the only one.
  return Number(field(reply.json, 'data.blocked_count')) >= 1
    ? { kind: 'rejected', reason }
    : sentWith(undefined, reply)
}
