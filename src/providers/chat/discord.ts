import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf, retryAfterMs, sentWith } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/** Settled by https://discord.com/developers/docs/topics/rate-limits and …/topics/opcodes-and-status-codes#json. */
export default defineProvider({
  id: 'discord',
  channel: 'chat',
  displayName: 'Discord',
  documentation: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
  verified: 'documentation',
  usesSubscriberWebhook: true,
  credentials: {},

  async send({ message, http }) {
    const answer = await http({
      url: waiting(message.webhookUrl),
      json: { content: message.content, ...message.overrides },
    })
    const success = (reply: HttpReply) => sentWith(field(reply.json, 'id'), reply)
    return withoutUrl(readReply(answer, { success, failure, ofTarget: true }), message.webhookUrl)
  },
})

/** Without `wait` Discord answers before it has looked, and tells of no error. */
function waiting(webhookUrl: string): string {
  const url = URL.parse(webhookUrl)
  url?.searchParams.set('wait', 'true')
  return url?.href ?? webhookUrl
}

/** Unknown Channel, Unknown Webhook, Invalid Webhook Token */
const gone = [10003, 10015, 50027]

function failure(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  if (gone.some((code) => code === field(reply.json, 'code'))) return { kind: 'rejected', reason, because: 'gone' }
  // Limits are of one webhook, except the global one and what stands before Discord: those are of our own address.
  const isOurs = field(reply.json, 'global') === true || reply.json === undefined
  if (reply.status !== 429 || !isOurs) return undefined
  const afterMs = retryAfterMs(reply.headers['retry-after'])
  return { kind: 'retry', reason, paces: true, ...(afterMs !== undefined && { afterMs }) }
}
