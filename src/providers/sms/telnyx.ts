import { telnyxCallbacks } from '../callbacks/telnyx.ts'
import { readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

// https://developers.telnyx.com/docs/messaging/messages/error-codes
const blockedByStop = '40300'
// https://developers.telnyx.com/docs/messaging/messages/configurable-spend-limits: a 429 that lasts until midnight UTC
const dailyLimit = '40333'
const invalidNumber = ['40001', '40310'] // landline or not routable, malformed

/**
 * An Idempotency-Key is honoured only by endpoints whose reference declares it
 * (https://developers.telnyx.com/docs/development/api-fundamentals/idempotency), and that of this one does not.
 */
export default defineProvider({
  id: 'telnyx',
  channel: 'sms',
  displayName: 'Telnyx',
  documentation: 'https://developers.telnyx.com/docs/messaging',
  verified: 'documentation',
  credentials: {
    apiKey: named(secret, 'API key', 'Of version 2: https://portal.telnyx.com/#/api-keys.'),
    messageProfileId: named(
      optional(text),
      'Messaging profile ID',
      'Needed only for an alphanumeric sender or a number pool.',
    ),
    from: named(optional(text), 'Sender', 'A number in E.164, or a name with a messaging profile.'),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const answer = await http({
      url: 'https://api.telnyx.com/v2/messages',
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      json: {
        from: message.from,
        to: message.to,
        text: message.content,
        messaging_profile_id: credentials.messageProfileId,
        webhook_url: callbackUrl,
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'data.id'), reply),
      failure: (reply) => {
        const code = String(field(reply.json, 'errors.0.code'))
        if (invalidNumber.includes(code)) return { kind: 'rejected', reason: reasonOf(reply), because: 'gone' }
        if (code === blockedByStop) return { kind: 'rejected', reason: reasonOf(reply) }
        if (reply.status === 402 || code === dailyLimit)
          return { kind: 'rejected', reason: reasonOf(reply), because: 'integration' }
        return undefined
      },
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.telnyx.com/v2/balance',
        headers: { authorization: `Bearer ${credentials.apiKey}` },
      }),
    ),

  inbound: telnyxCallbacks,
})
