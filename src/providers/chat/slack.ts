import type { Http, HttpReply } from '../../lib/outbound.ts'
import type { ChatMessage } from '../message.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * Incoming webhooks, which need no credentials. Settled by
 * https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks; the words for hooks that were
 * removed (`no_service` and the like) are general knowledge.
 */
export default defineProvider({
  id: 'slack',
  channel: 'chat',
  displayName: 'Slack',
  documentation: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  verified: 'documentation in part',
  usesSubscriberWebhook: true,
  credentials: {},

  send: postToSlack,
})

export async function postToSlack({ message, http }: { message: ChatMessage; http: Http }): Promise<Outcome> {
  const answer = await http({ url: message.webhookUrl, json: { text: message.content, ...message.overrides } })
  const failure = (reply: HttpReply) => (isGone(reply, message) ? toGone(reply) : undefined)
  return withoutUrl(readReply(answer, { success, failure, ofTarget: true }), message.webhookUrl)
}

/** `ok`, or `{"ok":true}` from the triggers of workflows. */
function success(reply: HttpReply): Outcome {
  if (reply.text.trim() === 'ok' || field(reply.json, 'ok') === true) return { kind: 'sent' }
  if (field(reply.json, 'ok') === false) return { kind: 'rejected', reason: reasonOf(reply) }
  return { kind: 'unknown', reason: `answered without ok: ${reply.text.slice(0, 200)}` }
}

/** The hook, its app or its workspace is no more. An archived channel and hooks that are switched off may come back. */
const gone = ['no_service', 'no_service_id', 'no_team', 'invalid_token']

/** Older hooks post to any channel that a trigger names: that one is missing, not the hook's. */
function isGone({ text }: HttpReply, { overrides }: ChatMessage): boolean {
  const words = text.trim()
  return gone.includes(words) || (words === 'channel_not_found' && overrides.channel === undefined)
}

function toGone(reply: HttpReply): Outcome {
  return { kind: 'rejected', reason: reasonOf(reply), because: 'gone' }
}
