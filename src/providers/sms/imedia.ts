import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/** The vendor publishes no documentation; its customers get one with their contract. */
export default defineProvider({
  id: 'imedia',
  channel: 'sms',
  displayName: 'iMedia',
  verified: 'client source',
  traceable: true,
  credentials: {
    token: named(secret, 'Token', 'The vendor hands it out with the contract.'),
    from: named(optional(text), 'Brandname', 'The sender that is registered.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://api.mobilebranding.vn/api/SMSBrandname/SendSMS',
      headers: { token: credentials.token },
      json: {
        to: withoutPlus(message.to),
        from: message.from,
        message: message.content,
        scheduled: '',
        requestId: message.id,
        useUnicode: isGsmText(message.content) ? 0 : 1,
        // Customer care, not advertising.
        type: 1,
        ...message.overrides,
      },
    })
    return readReply(answer, { success: readCode })
  },
})

function readCode(reply: HttpReply): Outcome {
  const code = field(reply.json, 'errorCode')
  if (code === '000') return sentWith(field(reply.json, 'referentId'), reply)
  if (typeof code !== 'string' || code === '') return sentWith(undefined, reply)
  return { kind: 'rejected', reason: `${code} ${field(reply.json, 'errorMessage') ?? ''}`.trim().slice(0, 500) }
}
