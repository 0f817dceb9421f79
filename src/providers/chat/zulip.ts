import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/** The URL names the channel, the topic and the bot's key. */
export default defineProvider({
  id: 'zulip',
  channel: 'chat',
  displayName: 'Zulip',
  documentation: 'https://zulip.com/integrations/slack_incoming',
  verified: 'documentation',
  usesSubscriberWebhook: true,
  credentials: {},

  async send({ message, http }) {
    const answer = await http({ url: message.webhookUrl, json: { text: message.content, ...message.overrides } })
    return withoutUrl(readReply(answer, { success, failure }), message.webhookUrl)
  },
})

/** `{"result":"success"}`, or the words of Slack should a server choose to speak like it. */
function success(reply: HttpReply): Outcome {
  if (field(reply.json, 'result') === 'success' || field(reply.json, 'ok') === true) return { kind: 'sent' }
  if (field(reply.json, 'ok') === false) return { kind: 'rejected', reason: reasonOf(reply) }
  return { kind: 'unknown', reason: `answered without a result: ${reply.text.slice(0, 200)}` }
}

function failure(reply: HttpReply): Outcome | undefined {
  const reason = `${reply.status} ${field(reply.json, 'msg') ?? field(reply.json, 'error') ?? ''}`.trim().slice(0, 500)
  // The key is part of the subscriber's URL.
  if (field(reply.json, 'code') === 'INVALID_API_KEY') return { kind: 'rejected', reason, because: 'gone' }
  return undefined
}
