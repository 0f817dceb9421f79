import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * The URL names the channel, the topic and the bot's key. Settled by zerver/webhooks/slack_incoming/view.py and
 * zerver/decorator.py of https://github.com/zulip/zulip: the key is looked at, and the bot's pace, before the view.
 */
export default defineProvider({
  id: 'zulip',
  channel: 'chat',
  displayName: 'Zulip',
  documentation: 'https://zulip.com/integrations/slack_incoming',
  verified: 'documentation in part',
  usesSubscriberWebhook: true,
  credentials: {},

  async send({ message, http }) {
    const answer = await http({ url: message.webhookUrl, json: { text: message.content, ...message.overrides } })
    const outcome = readReply(answer, { success, failure, ofTarget: true })
    return withoutUrl(answer.kind === 'reply' ? inTheirWords(outcome, answer) : outcome, message.webhookUrl)
  },
})

/** `{"result":"success"}`, or the words of Slack, in which the view itself answers. */
function success(reply: HttpReply): Outcome {
  if (field(reply.json, 'result') === 'success' || field(reply.json, 'ok') === true) return { kind: 'sent' }
  if (field(reply.json, 'ok') === false) return { kind: 'rejected', reason: reasonOf(reply) }
  return { kind: 'unknown', reason: `answered without a result: ${reply.text.slice(0, 200)}` }
}

/** No bot has this key. One that was deactivated, or its organization, may come back. */
function failure(reply: HttpReply): Outcome | undefined {
  if (field(reply.json, 'code') !== 'INVALID_API_KEY') return undefined
  return { kind: 'rejected', reason: reasonOf(reply), because: 'gone' }
}

function inTheirWords(outcome: Outcome, { status, json }: HttpReply): Outcome {
  const words = field(json, 'msg')
  if (outcome.kind === 'sent' || typeof words !== 'string' || words === '') return outcome
  return { ...outcome, reason: `${status} ${words}`.slice(0, 500) }
}
