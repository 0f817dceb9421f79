import { vonageCallbacks } from '../callbacks/vonage.ts'
import { type Outcome, readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { formFields } from '../shared/form-fields.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/**
 * Codes: https://developer.vonage.com/api-errors/sms. The balance is asked with basic authentication, as in the vendor's
 * https://github.com/Vonage/vonage-node-sdk (packages/accounts).
 */
export default defineProvider({
  id: 'nexmo',
  channel: 'sms',
  displayName: 'Nexmo',
  documentation: 'https://developer.vonage.com/en/api/sms',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'Eight letters and digits: https://dashboard.nexmo.com/settings.'),
    secretKey: named(secret, 'API secret', 'Beside the key.'),
    from: named(optional(text), 'Sender', 'A name or a number of the account.'),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const answer = await http({
      url: 'https://rest.nexmo.com/sms/json',
      form: formFields({
        to: withoutPlus(message.to),
        from: message.from && withoutPlus(message.from),
        text: message.content,
        type: isGsmText(message.content) ? 'text' : 'unicode',
        'client-ref': message.id,
        callback: callbackUrl,
        ...message.overrides,
        api_key: credentials.apiKey,
        api_secret: credentials.secretKey,
      }),
    })
    return readReply(answer, {
      success: (reply) => {
        // One entry for each part of a long text, all under HTTP 200.
        const parts = field(reply.json, 'messages')
        const statuses = Array.isArray(parts) ? parts.map((part) => String(field(part, 'status'))) : []
        const failed = statuses.findIndex((status) => status !== '0')
        if (failed < 0) return sentWith(field(reply.json, 'messages.0.message-id'), reply)
        const words = field(reply.json, `messages.${failed}.error-text`)
        const reason = `status ${statuses[failed]}: ${String(words ?? 'no text')}`
        if (statuses.includes('0')) return { kind: 'unknown', reason: `only a part was accepted; ${reason}` }
        return readStatus(statuses[failed], reason)
      },
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://rest.nexmo.com/account/get-balance',
        headers: { authorization: basicAuth(credentials.apiKey, credentials.secretKey) },
      }),
    ),

  inbound: vonageCallbacks,
})

function readStatus(status: string | undefined, reason: string): Outcome {
  switch (status) {
    case '1': // throttled
    case '10': // too many connections
      return { kind: 'retry', reason, paces: true }
    case '5': // broke while it had the message in hand
      return { kind: 'unknown', reason }
    case '4': // invalid credentials
    case '8': // account barred
    case '9': // no credit
    case '11': // account not open to this API
    case '14': // invalid signature
    case '32': // signed and sent a secret
      return { kind: 'rejected', reason, because: 'integration' }
    case '33': // number de-activated
      return { kind: 'rejected', reason, because: 'gone' }
    default:
      return { kind: 'rejected', reason }
  }
}
