import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

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
    const outcome = readReply(answer, { success: (reply) => sentWith(field(reply.json, 'id'), reply), failure })
    return withoutUrl(outcome, message.webhookUrl)
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
  const isGone = gone.some((code) => code === field(reply.json, 'code'))
  return isGone ? { kind: 'rejected', reason: reasonOf(reply), because: 'gone' } : undefined
}
