import { readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

/**
 * Its `deduplication-id` is an integer of 32 bits: of 100,000 messages in the 12 hours it is kept, about two would share
 * one, and the second be swallowed as if sent. So we do without. `userSuppliedId` is too short (20) for ours.
 */
export default defineProvider({
  id: 'bulk-sms',
  channel: 'sms',
  displayName: 'BulkSMS',
  documentation: 'https://www.bulksms.com/developer/json/v1/',
  verified: 'documentation',
  credentials: {
    apiToken: named(secret, 'API token', 'As “token id:token secret”.'),
    from: named(optional(text), 'Sender ID', 'A name or number that is approved. The account has a default.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      // Without it, what GSM 03.38 does not have arrives as question marks.
      url: 'https://api.bulksms.com/v1/messages?auto-unicode=true',
      headers: { authorization: authorization(credentials.apiToken) },
      json: {
        from: message.from,
        to: message.to,
        body: message.content,
        // Its own limit of parts is low.
        longMessageMaxParts: 30,
        ...message.overrides,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, '0.id'), reply) })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.bulksms.com/v1/profile',
        headers: { authorization: authorization(credentials.apiToken) },
      }),
    ),
})

function authorization(pair: string): string {
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
}
