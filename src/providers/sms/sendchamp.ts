import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/** The request as in the vendor's https://github.com/sendchamp/sendchamp-sms-go, replies as in fuadop/sendchamp there. */
export default defineProvider({
  id: 'sendchamp',
  channel: 'sms',
  displayName: 'Sendchamp',
  documentation: 'https://sendchamp.readme.io/reference/send-sms-api',
  verified: 'client source',
  credentials: {
    apiKey: named(secret, 'Public access key', 'In the account, under API keys & webhooks.'),
    from: named(optional(text), 'Sender ID', 'One that is approved.'),
  },

  async send({ credentials, message, http }) {
    const to = withoutPlus(message.to)
    const answer = await http({
      url: 'https://api.sendchamp.com/api/v1/sms/send',
      headers: { authorization: `Bearer ${credentials.apiKey}`, accept: 'application/json' },
      json: {
        to: [to],
        message: message.content,
        sender_name: message.from && withoutPlus(message.from),
        // Inside Nigeria, `dnd` is the route for transactional messages: it reaches numbers on the Do-Not-Disturb list.
        route: to.startsWith('234') ? 'dnd' : 'international',
        ...message.overrides,
      },
    })
    return readReply(answer, { success: readStatus, failure: readEmptyWallet })
  },
})

/** Some refusals come with a 200. */
function readStatus(reply: HttpReply): Outcome {
  const status = field(reply.json, 'status')
  if (status === 'error' || status === 'failed') {
    return readEmptyWallet(reply) ?? { kind: 'rejected', reason: reasonOf(reply) }
  }
  // `business_id` names the account, not the message.
  return sentWith(field(reply.json, 'data.id') ?? field(reply.json, 'data.reference'), reply)
}

/** It has no code for that, only words. */
function readEmptyWallet(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  if (reply.status >= 429 || !/insufficient|balance/i.test(reason)) return undefined
  return { kind: 'rejected', reason, because: 'integration' }
}
