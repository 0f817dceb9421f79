import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { formFields } from '../shared/form-fields.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { noSender } from '../shared/no-sender.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/**
 * Fields as in the vendor's https://github.com/FireText/FireText-PHP-SDK (scripts/generate-swagger/openapi.json). `unicode`
 * is 1 for what GSM 03.38 does not have.
 */
export default defineProvider({
  id: 'firetext',
  channel: 'sms',
  displayName: 'Firetext',
  documentation: 'https://www.firetext.co.uk/docs',
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'In the account, under Settings → API.'),
    from: named(
      optional(text),
      'Sender ID',
      '3 to 11 letters and digits. A British number longer than that goes as 07… instead of 447….',
    ),
  },

  async send({ credentials, message, http }) {
    const fault = noSender(message, 'from')
    if (fault) return fault
    const answer = await http({
      // It takes GET and POST alike: in a body the key stays out of the logs on the way.
      url: 'https://www.firetext.co.uk/api/sendsms/json',
      form: formFields({
        from: message.from && toSender(message.from),
        to: withoutPlus(message.to),
        message: message.content,
        unicode: isGsmText(message.content) ? undefined : 1,
        reference: message.id,
        ...message.overrides,
        apiKey: credentials.apiKey,
      }),
    })
    return readReply(answer, { success: readCode })
  },

  async check({ credentials, http }) {
    const answer = await http({
      url: 'https://www.firetext.co.uk/api/credit/json',
      form: { apiKey: credentials.apiKey },
    })
    if (answer.kind === 'reply' && Number(field(answer.json, 'code')) === 1) {
      return { kind: 'refused', reason: reasonOf(answer) }
    }
    return readCheck(answer)
  },
})

/** No more than 11 characters: a British number has them in its national form. */
function toSender(from: string): string {
  const sender = withoutPlus(from)
  return /^44\d{10,}$/.test(sender) ? sender.replace('44', '0') : sender
}

/** Answers 200 whatever it thinks of the message. Callbacks name our reference. */
function readCode(reply: HttpReply): Outcome {
  const code = field(reply.json, 'code')
  if (code === undefined || !Number.isInteger(Number(code))) return sentWith(undefined, reply)
  if (Number(code) === 0) {
    const id = reply.headers['x-message']
    return id ? sentWith(id, reply) : { kind: 'sent' }
  }
  // 1: key; 7: no credit; 9: sub-account.
  const isOurs = [1, 7, 9].includes(Number(code))
  return { kind: 'rejected', reason: reasonOf(reply), ...(isOurs && { because: 'integration' }) }
}
