import { brevoSmsCallbacks } from '../callbacks/brevo.ts'
import { readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { noSender } from '../shared/no-sender.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/** Brevo's idempotency keys are for its e-mail only. It requires a sender. */
export default defineProvider({
  id: 'brevo-sms',
  channel: 'sms',
  displayName: 'Brevo',
  documentation: 'https://developers.brevo.com/docs/transactional-sms-endpoints',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'Of version 3: https://app.brevo.com/settings/keys/api.'),
    from: named(optional(text), 'Sender', 'A name of up to 11 letters and digits, or a number of up to 15 digits.'),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const fault = noSender(message, 'sender')
    if (fault) return fault
    const answer = await http({
      url: 'https://api.brevo.com/v3/transactionalSMS/send',
      headers: { 'api-key': credentials.apiKey, accept: 'application/json' },
      json: {
        sender: message.from && withoutPlus(message.from),
        recipient: withoutPlus(message.to),
        content: message.content,
        type: 'transactional',
        unicodeEnabled: !isGsmText(message.content),
        tag: message.id,
        webUrl: callbackUrl,
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'messageId'), reply),
      // No SMS credits left.
      failure: (reply) =>
        reply.status === 402 ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' } : undefined,
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.brevo.com/v3/account',
        headers: { 'api-key': credentials.apiKey, accept: 'application/json' },
      }),
    ),

  inbound: brevoSmsCallbacks,
})
