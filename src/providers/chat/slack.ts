import type { Http, HttpReply } from '../../lib/outbound.ts'
import type { ChatMessage } from '../message.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider, flag, link, named, optional, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/** Incoming webhooks. They need no credentials; these serve the OAuth set-up of an app. */
export default defineProvider({
  id: 'slack',
  channel: 'chat',
  displayName: 'Slack',
  documentation: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  verified: 'documentation',
  usesSubscriberWebhook: true,
  credentials: {
    applicationId: optional(text),
    clientId: optional(text),
    secretKey: named(optional(secret), 'Client secret'),
    redirectUrl: optional(link),
    hmac: flag,
  },

  send: postToSlack,
})

export async function postToSlack({ message, http }: { message: ChatMessage; http: Http }): Promise<Outcome> {
  const answer = await http({ url: message.webhookUrl, json: { text: message.content, ...message.overrides } })
  return withoutUrl(readReply(answer, { success, failure }), message.webhookUrl)
}

/** `ok`, or `{"ok":true}` from the triggers of workflows. */
function success(reply: HttpReply): Outcome {
  if (reply.text.trim() === 'ok' || field(reply.json, 'ok') === true) return { kind: 'sent' }
  if (field(reply.json, 'ok') === false) return { kind: 'rejected', reason: reasonOf(reply) }
  return { kind: 'unknown', reason: `answered without ok: ${reply.text.slice(0, 200)}` }
}

/** The hook, its app, its channel or its workspace is no more. An archived channel may come back. */
const gone = ['no_service', 'no_service_id', 'no_active_hooks', 'no_team', 'invalid_token', 'channel_not_found']

function failure(reply: HttpReply): Outcome | undefined {
  if (gone.includes(reply.text.trim())) return { kind: 'rejected', reason: reasonOf(reply), because: 'gone' }
  // What one workspace forbids says nothing about the others.
  if (reply.status === 403) return { kind: 'rejected', reason: reasonOf(reply) }
  return undefined
}
