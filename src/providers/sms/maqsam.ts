import { readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'maqsam',
  channel: 'sms',
  displayName: 'Maqsam',
  documentation: 'https://maqsam.com/apis',
  verified: 'client source',
  credentials: {
    apiKey: named(secret, 'Access key ID', 'Of the account.'),
    secretKey: named(secret, 'Access secret', 'Beside the key ID.'),
    from: named(optional(text), 'Sender', 'A name that is approved.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://api.maqsam.com/v2/sms',
      headers: { authorization: basicAuth(credentials.apiKey, credentials.secretKey) },
      json: { to: message.to, message: message.content, sender: message.from, ...message.overrides },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'message.identifier'), reply) })
  },
})
