import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { formFields } from '../shared/form-fields.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

export default defineProvider({
  id: 'burst-sms',
  channel: 'sms',
  displayName: 'Kudosity (formerly BurstSMS)',
  documentation: 'https://developers.kudosity.com/reference/transmit-sms-api',
  verified: 'documentation',
  credentials: {
    apiKey: named(secret, 'API key', 'In the settings of the account, under API.'),
    secretKey: named(secret, 'API secret', 'Beside the key.'),
    from: named(optional(text), 'Caller ID', 'A number of the account, or a name.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://api.transmitsms.com/send-sms.json',
      headers: { authorization: basicAuth(credentials.apiKey, credentials.secretKey) },
      form: formFields({
        to: withoutPlus(message.to),
        from: message.from && withoutPlus(message.from),
        message: message.content,
        ...message.overrides,
      }),
    })
    return readReply(answer, { success: readError, failure: readRefusal })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.transmitsms.com/get-balance.json',
        headers: { authorization: basicAuth(credentials.apiKey, credentials.secretKey) },
      }),
    ),
})

/** Every reply carries `error.code`, on success too. */
function readError(reply: HttpReply): Outcome {
  const code = field(reply.json, 'error.code')
  if (code === undefined || code === 'SUCCESS') return sentWith(field(reply.json, 'message_id'), reply)
  return readRefusal(reply) ?? { kind: 'rejected', reason: reasonOf(reply) }
}

function readRefusal(reply: HttpReply): Outcome | undefined {
  switch (field(reply.json, 'error.code')) {
    // No credit; keys; not part of the account; the sender is not ours.
    case 'LEDGER_ERROR':
    case 'AUTH_FAILED':
    case 'AUTH_FAILED_NO_DATA':
    case 'NO_ACCESS':
    case 'BAD_CALLER_ID':
      return { kind: 'rejected', reason: reasonOf(reply), because: 'integration' }
    case 'OVER_LIMIT':
      // As a 429 the common rules read it, with the time to wait.
      return reply.status === 429 ? undefined : { kind: 'retry', reason: reasonOf(reply), paces: true }
    default:
      return undefined
  }
}
