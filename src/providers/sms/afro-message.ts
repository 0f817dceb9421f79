import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

/** As in https://github.com/natiDotnet/AfroMessage, whose tests show the replies. */
export default defineProvider({
  id: 'afro-message',
  channel: 'sms',
  displayName: 'Afro Message',
  documentation: 'https://afromessage.com/developers',
  verified: 'client source',
  credentials: {
    apiKey: named(secret, 'Token', 'Of the account.'),
    from: named(optional(text), 'Identifier ID', 'Of the short code. The account has a default.'),
    senderName: named(optional(text), 'Sender name', 'One that is approved. The account has a default.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      // It takes GET and POST alike: in a body the text stays out of the logs on the way.
      url: 'https://api.afromessage.com/api/send',
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      json: {
        from: message.from,
        sender: credentials.senderName,
        to: message.to,
        message: message.content,
        ...message.overrides,
      },
    })
    return readReply(answer, { success: readAcknowledge })
  },
})

function readAcknowledge(reply: HttpReply): Outcome {
  const acknowledge = field(reply.json, 'acknowledge')
  if (acknowledge === 'success') return sentWith(field(reply.json, 'response.message_id'), reply)
  if (acknowledge !== 'error') return sentWith(undefined, reply)
  const words = field(reply.json, 'response.errors.0') ?? field(reply.json, 'response')
  const reason = typeof words === 'string' ? words.slice(0, 500) : reply.text.slice(0, 500)
  // Short code and sender are the account's.
  const isOurs = /\b(identifier|token|balance|credits?|short ?code|sender)\b/i.test(reason)
  return { kind: 'rejected', reason, ...(isOurs && { because: 'integration' }) }
}
