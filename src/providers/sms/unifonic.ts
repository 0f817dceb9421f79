import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { formFields } from '../shared/form-fields.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/**
 * Codes: https://docs.unifonic.com/reference/http-status-codes, and those from ER-01 on
 * https://docs.unifonic.com/docs/understanding-reasons-of-sms-non-delivery.
 */
export default defineProvider({
  id: 'unifonic',
  channel: 'sms',
  displayName: 'Unifonic',
  documentation: 'https://docs.unifonic.com/docs/sending-your-first-sms-via-unifonic-api',
  verified: 'documentation',
  traceable: true,
  credentials: {
    appSid: named(secret, 'App SID', 'It authenticates alone.'),
    senderId: named(optional(text), 'Sender ID', 'The account has a default.'),
    from: named(optional(text), 'Sender', 'Goes before the sender ID.'),
  },

  async send({ credentials, message, http }) {
    const sender = message.from ?? credentials.senderId
    const answer = await http({
      url: 'https://el.cloud.unifonic.com/rest/SMS/messages',
      headers: { accept: 'application/json' },
      form: formFields({
        SenderID: sender && withoutPlus(sender),
        Recipient: withoutPlus(message.to),
        Body: message.content,
        responseType: 'JSON',
        CorrelationID: message.id,
        ...message.overrides,
        AppSid: credentials.appSid,
      }),
    })
    return readReply(answer, { success: readSuccess, failure: (reply) => readCode(reply, reply.status) })
  },
})

function readSuccess(reply: HttpReply): Outcome {
  const success = field(reply.json, 'success')
  if (success === true || success === 'true') return sentWith(field(reply.json, 'data.MessageID'), reply)
  if (success !== false && success !== 'false') return sentWith(undefined, reply)
  // ER-482 inside a 200 is what 482 is as a status.
  const code = Number(/^ER-(\d+)$/.exec(String(field(reply.json, 'errorCode')))?.[1])
  return readCode(reply, code) ?? { kind: 'rejected', reason: reasonOf(reply) }
}

function readCode(reply: HttpReply, code: number): Outcome | undefined {
  const reason = reasonOf(reply)
  // No funds, sender not registered; authentication, AppSid missing, address not allowed, encoding of the AppSid, sender
  // not of this account.
  if ([1, 8, 401, 402, 403, 459, 480].includes(code)) return { kind: 'rejected', reason, because: 'integration' }
  // A duplicate: it may be one of our own earlier try.
  if (code === 9 || code === 409) return { kind: 'unknown', reason }
  if (code === 429 && reply.status !== 429) return { kind: 'retry', reason, paces: true }
  return undefined
}
