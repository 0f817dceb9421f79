import { readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { noSender } from '../shared/no-sender.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/** What each route is for, and that a sender is required: https://developer.termii.com/messaging-api. */
export default defineProvider({
  id: 'termii',
  channel: 'sms',
  displayName: 'Termii',
  documentation: 'https://developers.termii.com/messaging-api',
  verified: 'documentation in part',
  credentials: {
    apiKey: named(secret, 'API key', 'On the dashboard of the account.'),
    baseUrl: named(optional(url), 'Base URL', 'Shown in the account; https://api.ng.termii.com unless given.'),
    channelId: named(
      optional(text),
      'Route',
      'dnd for transactional messages (Termii must activate it for the account); generic without it: promotional, not delivered at night by some networks.',
    ),
    from: named(optional(text), 'Sender ID', '3 to 11 letters and digits that are approved.'),
  },

  async send({ credentials, message, http }) {
    const fault = noSender(message, 'from')
    if (fault) return fault
    const answer = await http({
      url: `${originOf(credentials.baseUrl)}/api/sms/send`,
      json: {
        to: withoutPlus(message.to),
        from: message.from,
        sms: message.content,
        type: 'plain',
        channel: credentials.channelId || 'generic',
        ...message.overrides,
        api_key: credentials.apiKey,
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'message_id'), reply),
      failure: (reply) =>
        reply.status === 402 || (reply.status < 429 && ofAccount.test(reply.text))
          ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' }
          : undefined,
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: `${originOf(credentials.baseUrl)}/api/get-balance?api_key=${encodeURIComponent(credentials.apiKey)}`,
      }),
    ),
})

const ofAccount = /insufficient balance|account is not active|invalid sender id|ApplicationSenderId not found/i

function originOf(baseUrl: string | undefined): string {
  return (baseUrl || 'https://api.ng.termii.com').replace(/(?<!\/)\/+$/, '')
}
