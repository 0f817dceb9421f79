import type { HttpReply } from '../../lib/outbound.ts'
import { mandrillCallbacks } from '../callbacks/mandrill.ts'
import { type Outcome, readCheck, readReply, reasonOf, retryAfterMs, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { readEach } from '../shared/read-each.ts'
import { field } from '../shared/reply-field.ts'

/**
 * Request and results as in spec/transactional.json of github.com/mailchimp/mailchimp-client-lib-codegen; the names of
 * errors from transactional.openapi.json beside it, and from clients too.
 */
export default defineProvider({
  id: 'mandrill',
  channel: 'email',
  displayName: 'Mandrill',
  documentation: 'https://mailchimp.com/developer/transactional/api/messages/send-new-message/',
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    apiKey: named(
      secret,
      'API key',
      'Of Mailchimp Transactional, which is not that of Mailchimp; at https://mandrillapp.com/settings.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://mandrillapp.com/api/1.0/messages/send',
      json: {
        key: credentials.apiKey,
        message: {
          from_email: message.from.email,
          from_name: message.from.name,
          to: (['to', 'cc', 'bcc'] as const).flatMap((type) => message[type].map((email) => ({ email, type }))),
          // All of them see whom it went to, as in any mail; those of the bcc stay hidden.
          preserve_recipients: true,
          subject: message.subject,
          text: message.text || undefined,
          html: message.html || undefined,
          headers: { ...message.headers, ...(message.replyTo !== undefined && { 'Reply-To': message.replyTo }) },
          metadata: { tidings_message_id: message.id },
          attachments: message.attachments.map(({ name, mime, content }) => ({
            name,
            type: mime,
            content: base64(content),
          })),
          ...message.overrides,
        },
      },
    })
    return readReply(answer, { success: readResults, failure: readError })
  },

  async check({ credentials, http }) {
    const answer = await http({ url: 'https://mandrillapp.com/api/1.0/users/ping2', json: { key: credentials.apiKey } })
    if (answer.kind === 'reply' && readError(answer)?.kind === 'rejected') {
      return { kind: 'refused', reason: reasonOf(answer) }
    }
    return readCheck(answer)
  },

  inbound: mandrillCallbacks,
})

/** One result for each recipient: sent, queued or scheduled; rejected by a list of the account's; invalid. */
function readResults(reply: HttpReply): Outcome {
  return readEach(reply.json, (result) => readResult(result, reply), sentWith(undefined, reply))
}

function readResult(result: unknown, reply: HttpReply): Outcome {
  const status = String(field(result, 'status'))
  if (!['rejected', 'invalid'].includes(status)) return sentWith(field(result, '_id'), reply)
  const because = String(field(result, 'reject_reason') ?? status)
  const reason = `${reply.status} ${status}: ${because}`
  if (['hard-bounce', 'invalid'].includes(because)) return { kind: 'rejected', reason, because: 'gone' }
  const isSender = ['invalid-sender', 'unsigned', 'test-mode-limit'].includes(because)
  return { kind: 'rejected', reason, ...(isSender && { because: 'integration' }) }
}

/** Every error is a 500, and its name says what it is. */
function readError(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  switch (field(reply.json, 'name')) {
    case 'Invalid_Key':
    case 'PaymentRequired':
    case 'Unknown_Subaccount':
      return { kind: 'rejected', reason, because: 'integration' }
    case 'ValidationError':
    case 'Unknown_Template':
      return { kind: 'rejected', reason }
    case 'RequestLimitExceeded': {
      const afterMs = retryAfterMs(reply.headers['retry-after'])
      return { kind: 'retry', reason, paces: true, ...(afterMs !== undefined && { afterMs }) }
    }
    case 'ServiceUnavailable':
      return { kind: 'retry', reason }
    default:
      return undefined
  }
}
