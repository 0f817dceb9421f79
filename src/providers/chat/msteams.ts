import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * A card for the webhooks of Workflows, which the older connectors take too. They need no credentials. The documentation
 * has the card and the limits of a connector; how Workflows refuse is known from reports of their users.
 */
export default defineProvider({
  id: 'msteams',
  channel: 'chat',
  displayName: 'MSTeams',
  documentation:
    'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using',
  verified: 'documentation in part',
  usesSubscriberWebhook: true,
  credentials: {},

  async send({ message, http }) {
    const answer = await http({
      url: message.webhookUrl,
      json: { ...toMessage(message.content), ...message.overrides },
    })
    return withoutUrl(readReply(answer, { success, failure, ofTarget: true }), message.webhookUrl)
  },
})

/** A template may write a whole card, or a whole message, as JSON; any other content becomes the text of a card. */
function toMessage(content: string): object {
  const written = content.trimStart().startsWith('{') ? parse(content) : undefined
  if (written && field(written, 'type') !== 'AdaptiveCard') return written
  const card = written ?? {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', text: content, wrap: true }],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] }
}

function parse(content: string): object | undefined {
  try {
    const json: unknown = JSON.parse(content)
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    return undefined
  }
}

/** Workflows answer 202 and nothing. Connectors answer 200 and `1`, or tell in words what Teams said to them. */
function success(reply: HttpReply): Outcome {
  const status = /returned HTTP error (\d{3})/.exec(reply.text)?.[1]
  if (!status) return { kind: 'sent' }
  const reason = reasonOf(reply)
  if (status === '429') return { kind: 'retry', reason, paces: 'target' }
  return { kind: status.startsWith('4') ? 'rejected' : 'unknown', reason }
}

/** A workflow that was deleted says so as a trigger that is not enabled; one that is only switched off may come back. */
function failure(reply: HttpReply): Outcome | undefined {
  const code = field(reply.json, 'error.code')
  const isDeleted =
    code === 'WorkflowTriggerIsNotEnabled' && /'Deleted'/.test(String(field(reply.json, 'error.message')))
  const isGone = reply.status === 410 || code === 'WorkflowNotFound' || isDeleted
  return isGone ? { kind: 'rejected', reason: reasonOf(reply), because: 'gone' } : undefined
}
