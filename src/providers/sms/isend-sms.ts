import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/** As in the vendor's own client. Its contentType (plain or unicode) has no field: it follows from the text. */
export default defineProvider({
  id: 'isend-sms',
  channel: 'sms',
  displayName: 'iSend SMS',
  documentation: 'https://packagist.org/packages/isend/laravel',
  verified: 'client source',
  credentials: {
    apiToken: named(secret, 'API token', 'Of the account.'),
    from: named(optional(text), 'Sender ID', 'One that is approved.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://isend.com.ly/api/v3/sms/send',
      headers: { authorization: `Bearer ${credentials.apiToken}`, accept: 'application/json' },
      json: {
        recipient: withoutPlus(message.to),
        sender_id: message.from && withoutPlus(message.from),
        type: isGsmText(message.content) ? 'plain' : 'unicode',
        message: message.content,
        ...message.overrides,
      },
    })
    return readReply(answer, { success: readStatus })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      url: 'https://isend.com.ly/api/v3/balance',
      headers: { authorization: `Bearer ${credentials.apiToken}`, accept: 'application/json' },
    })
    if (answer.kind === 'reply' && field(answer.json, 'status') === 'error') {
      return { kind: 'refused', reason: reasonOf(answer) }
    }
    return readCheck(answer)
  },
})

function readStatus(reply: HttpReply): Outcome {
  if (field(reply.json, 'status') === 'error') return { kind: 'rejected', reason: reasonOf(reply) }
  return sentWith(field(reply.json, 'data.uid'), reply)
}
