import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * Settled by server/channels/web/webhook.go and server/channels/app/webhook.go of
 * https://github.com/mattermost/mattermost: servers of today wrap every error as `web.incoming_webhook.general.app_error`
 * and keep its status. A webhook that was deleted is a 400, as is one that the database could not look up, and a text
 * that is missing: none of them is surely gone.
 */
export default defineProvider({
  id: 'mattermost',
  channel: 'chat',
  displayName: 'Mattermost',
  documentation: 'https://developers.mattermost.com/integrate/webhooks/incoming/',
  verified: 'documentation in part',
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
  // Incoming webhooks are switched off. Older servers name it, all of them answer 501.
  const isOff = reply.status === 501 || field(reply.json, 'id') === 'web.incoming_webhook.disabled.app_error'
  return isOff ? { kind: 'rejected', reason: reasonOf(reply) } : undefined
}
