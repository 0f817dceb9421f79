import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { joinUrl } from '../shared/join-url.ts'
import { field } from '../shared/reply-field.ts'

/**
 * It knows no copies: each recipient gets a mail of their own, and sees nobody else.
 * The host and the form of replies: https://docs.useplunk.com/api-reference/overview, and in the source at
 * github.com/useplunk/plunk apps/api/src/controllers/Actions.ts. A Plunk of its first version has no `data` around them
 * (packages/api/src/controllers/v1/index.ts).
 */
export default defineProvider({
  id: 'plunk',
  channel: 'email',
  displayName: 'Plunk',
  documentation: 'https://docs.useplunk.com/api-reference/public-api/sendEmail',
  verified: 'documentation',
  credentials: {
    apiKey: named(
      secret,
      'Secret key',
      'Begins with sk_; in the Plunk dashboard under Settings, API Keys. The public key cannot send.',
    ),
    baseUrl: named(
      optional(url),
      'API URL',
      'Only for a Plunk of your own: the address of its API. Without it, https://next-api.useplunk.com.',
    ),
    from: optional(text),
    senderName: optional(text),
  },
  // https://docs.useplunk.com/guides/idempotency
  idempotencyWindowMs: 24 * 3_600_000,

  async send({ credentials, message, http }) {
    const answer = await http({
      url: joinUrl(credentials.baseUrl || 'https://next-api.useplunk.com', 'v1/send'),
      headers: { authorization: `Bearer ${credentials.apiKey}`, 'idempotency-key': message.key },
      json: {
        to: [...message.to, ...message.cc, ...message.bcc],
        from: message.from,
        reply: message.replyTo,
        subject: literal(message.subject, '{\u200b'),
        body: literal(message.html || message.text, '&#123;'),
        headers: message.headers,
        attachments: message.attachments.map(({ name, mime, content }) => ({
          filename: name,
          contentType: mime,
          content: base64(content),
        })),
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) =>
        sentWith(field(reply.json, 'data.emails.0.email') ?? field(reply.json, 'emails.0.email'), reply),
      failure: readRepeated,
    })
  },
})

/**
 * Plunk takes subject and body for templates, once by `{{…}}` alone, now by Liquid with its `{%…%}`
 * (apps/api/src/services/EmailService.ts and packages/shared/src/template). So no brace stands beside what would make it
 * begin one: in HTML it is written as a character reference, in a subject something without width follows it.
 */
function literal(content: string, brace: string): string {
  return content.replace(/\{(?=[{%])/g, brace)
}

/** A key that was there is refused, not answered again: what came of it the first time is all there is to know. */
function readRepeated(reply: HttpReply): Outcome | undefined {
  if (field(reply.json, 'error.code') !== 'IDEMPOTENCY_KEY_REUSED') return undefined
  const first = Number(field(reply.json, 'error.details.originalStatusCode'))
  return first >= 200 && first < 300 ? { kind: 'sent' } : { kind: 'unknown', reason: reasonOf(reply) }
}
