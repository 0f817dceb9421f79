import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

export default defineProvider({
  id: 'mattermost',
  channel: 'chat',
  displayName: 'Mattermost',
  documentation: 'https://developers.mattermost.com/integrate/webhooks/incoming/',
  verified: 'documentation',
  traceable: true,
  usesSubscriberWebhook: true,
  credentials: {},

  async send({ message, http }) {
    const answer = await http({
      url: message.webhookUrl,
      json: {
        text: message.content,
        // instead of the channel the hook was made for
        channel: message.channel || undefined,
        props: { tidings_message_id: message.id },
        ...message.overrides,
      },
    })
    return withoutUrl(readReply(answer, { failure, ofTarget: true }), message.webhookUrl)
  },
})

function failure(reply: HttpReply): Outcome | undefined {
  const id = field(reply.json, 'id')
  const reason = reasonOf(reply)
  if (id === 'web.incoming_webhook.invalid.app_error') return { kind: 'rejected', reason, because: 'gone' }
  // 501: this server takes no incoming webhooks.
  if (id === 'web.incoming_webhook.disabled.app_error') return { kind: 'rejected', reason }
  return undefined
}
