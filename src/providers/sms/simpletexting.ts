import { readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'simpletexting',
  channel: 'sms',
  displayName: 'SimpleTexting',
  documentation: 'https://api-doc.simpletexting.com/',
  verified: 'documentation',
  credentials: {
    apiKey: named(secret, 'API token', 'Of the account.'),
    from: named(optional(text), 'Account phone', 'The sender, of ten digits. The account has a default.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://api-app2.simpletexting.com/v2/api/messages',
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      json: {
        contactPhone: toNational(message.to),
        accountPhone: message.from && toNational(message.from),
        mode: 'AUTO',
        text: message.content,
        ...message.overrides,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'id'), reply) })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api-app2.simpletexting.com/v2/api/tenant',
        headers: { authorization: `Bearer ${credentials.apiKey}` },
      }),
    ),
})

/** It serves the United States and Canada, and writes their numbers with ten digits. */
function toNational(number: string): string {
  return number.replace(/^\+?1(?=\d{10}$)/, '')
}
