import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, optional, secret, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { recipients } from '../shared/recipients.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'mailersend',
  channel: 'email',
  displayName: 'MailerSend',
  documentation: 'https://developers.mailersend.com/api/v1/email.html',
  verified: 'documentation',
  credentials: {
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    const headers = Object.entries(message.headers).map(([name, value]) => ({ name, value }))
    const answer = await http({
      url: 'https://api.mailersend.com/v1/email',
      headers: { accept: 'application/json', authorization: `Bearer ${credentials.apiKey}` },
      json: {
        from: message.from,
        to: recipients(message.to),
        cc: recipients(message.cc),
        bcc: recipients(message.bcc),
        reply_to: message.replyTo === undefined ? undefined : { email: message.replyTo },
        subject: message.subject,
        text: message.text || undefined,
        html: message.html || undefined,
        // Not every plan may set them.
        headers: headers.length === 0 ? undefined : headers,
        attachments: message.attachments.map(({ name, content }) => ({
          filename: name,
          content: base64(content),
          disposition: 'attachment',
        })),
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) => suppressed(reply) ?? sentWith(reply.headers['x-message-id'], reply),
      // Maintenance.
      failure: (reply) => (reply.status === 421 ? { kind: 'retry', reason: reasonOf(reply) } : undefined),
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.mailersend.com/v1/api-quota',
        headers: { accept: 'application/json', authorization: `Bearer ${credentials.apiKey}` },
      }),
    ),
})

/** Accepted, and nobody gets it: they all bounced, complained or unsubscribed before. */
function suppressed({ status, json }: HttpReply): Outcome | undefined {
  if (field(json, 'warnings.0.type') !== 'ALL_SUPPRESSED') return undefined
  return { kind: 'rejected', reason: `${status} all recipients are suppressed`, because: 'gone' }
}
