import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { noSender } from '../shared/no-sender.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/**
 * The request as in the vendor's https://github.com/sendchamp/ai, openapi/sms-verification.yaml, replies as in
 * fuadop/sendchamp there. That file says what the routes are for; clients of others have `dnd` and `non_dnd` the other way
 * round.
 */
export default defineProvider({
  id: 'sendchamp',
  channel: 'sms',
  displayName: 'Sendchamp',
  documentation: 'https://sendchamp.readme.io/reference/send-sms-api',
  verified: 'documentation in part',
  credentials: {
    apiKey: named(secret, 'Public access key', 'In the account, under API keys & webhooks.'),
    from: named(optional(text), 'Sender ID', 'One that is approved.'),
  },

  async send({ credentials, message, http }) {
    const fault = noSender(message, 'sender_name')
    if (fault) return fault
    const to = withoutPlus(message.to)
    const answer = await http({
      url: 'https://api.sendchamp.com/api/v1/sms/send',
      headers: { authorization: `Bearer ${credentials.apiKey}`, accept: 'application/json' },
      json: {
        to: [to],
        message: message.content,
        sender_name: message.from && withoutPlus(message.from),
        // Inside Nigeria, `non_dnd` is for transactional messages, `dnd` for promotional ones.
        route: to.startsWith('234') ? 'non_dnd' : 'international',
        ...message.overrides,
      },
    })
    return readReply(answer, { success: readStatus, failure: readEmptyWallet })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      url: 'https://api.sendchamp.com/api/v1/wallet-balance',
      headers: { authorization: `Bearer ${credentials.apiKey}`, accept: 'application/json' },
    })
    if (answer.kind === 'reply' && answer.status < 300 && isError(answer)) {
      return { kind: 'refused', reason: reasonOf(answer) }
    }
    return readCheck(answer)
  },
})

function isError({ json }: HttpReply): boolean {
  const status = field(json, 'status')
  return status === 'error' || status === 'failed'
}

/** Some refusals come with a 200. */
function readStatus(reply: HttpReply): Outcome {
  if (isError(reply)) return readEmptyWallet(reply) ?? { kind: 'rejected', reason: reasonOf(reply) }
  // `business_id` names the account, not the message.
  return sentWith(field(reply.json, 'data.id') ?? field(reply.json, 'data.reference'), reply)
}

/** It has no code for that, only words. */
function readEmptyWallet(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  if (reply.status >= 429 || !/insufficient|balance/i.test(reason)) return undefined
  return { kind: 'rejected', reason, because: 'integration' }
}
