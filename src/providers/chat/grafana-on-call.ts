import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider, link, named, optional, text } from '../provider.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * A formatted webhook. The credentials are defaults; the subscriber's own values win. Settled by
 * engine/config_integrations/formatted_webhook.py and engine/apps/integrations/mixins of
 * https://github.com/grafana/oncall: without a title an alert reads "Title undefined"; limits are of one URL or its team.
 */
export default defineProvider({
  id: 'grafana-on-call',
  channel: 'chat',
  displayName: 'Grafana On Call Webhook',
  documentation: 'https://grafana.com/docs/oncall/latest/configure/integrations/references/webhook/',
  verified: 'documentation in part',
  usesSubscriberWebhook: true,
  credentials: {
    alertUid: named(optional(text), 'Alert UID', 'Alerts of one UID are one group. Empty: each message is its own.'),
    title: named(optional(text), 'Title of alerts', 'Empty: the first line of the text.'),
    imageUrl: named(optional(link), 'Image URL', 'Shown with each alert.'),
    state: named(optional(text), 'State', '`alerting`, or `ok`, which resolves the group of the alert.'),
    externalLink: named(optional(link), 'Link to upstream details', 'Where each alert links to.'),
  },

  async send({ credentials, message, http }) {
    const { alert } = message
    const answer = await http({
      url: message.webhookUrl,
      json: {
        // Alerts of one uid are grouped, so a message sent twice is one alert.
        alert_uid: alert.alertUid || credentials.alertUid || message.id,
        title: alert.title || credentials.title || firstLine(message.content),
        image_url: alert.imageUrl || credentials.imageUrl,
        state: alert.state || credentials.state,
        link_to_upstream_details: alert.externalUrl || credentials.externalLink,
        message: message.content,
        ...message.overrides,
      },
    })
    return withoutUrl(readReply(answer, { failure, ofTarget: true }), message.webhookUrl)
  },
})

function firstLine(content: string): string {
  const line = content.trim().split('\n', 1)[0] ?? ''
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** The key is part of the subscriber's URL. */
function failure(reply: HttpReply): Outcome | undefined {
  if (reply.status !== 403 || !/integration key was not found/i.test(reply.text)) return undefined
  return { kind: 'rejected', reason: reasonOf(reply), because: 'gone' }
}
