import type { HttpReply } from '../../lib/outbound.ts'
import { isRecent } from '../callbacks/is-recent.ts'
import { parseCallback } from '../callbacks/parse-callback.ts'
import { toCallback } from '../callbacks/to-callback.ts'
import type { Callback, InboundCall } from '../inbound.ts'
import type { EmailMessage } from '../message.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { formatAddress } from '../shared/email-address.ts'
import { field, textField } from '../shared/reply-field.ts'
import { sameText } from '../shared/same-text.ts'
import { signatureOf } from '../shared/standard-webhooks.ts'

export default defineProvider({
  id: 'resend',
  channel: 'email',
  displayName: 'Resend',
  documentation: 'https://resend.com/docs/api-reference/emails/send-email',
  verified: 'documentation',
  credentials: {
    apiKey: named(secret, 'API key', 'Begins with re_; at https://resend.com/api-keys. Sending access is enough.'),
    from: optional(text),
    senderName: optional(text),
  },
  idempotencyWindowMs: 24 * 3_600_000,

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://api.resend.com/emails',
      headers: { authorization: `Bearer ${credentials.apiKey}`, 'idempotency-key': message.key },
      json: {
        from: formatAddress(message.from),
        to: message.to,
        cc: message.cc,
        bcc: message.bcc,
        reply_to: message.replyTo,
        subject: message.subject,
        html: message.html,
        text: message.text,
        headers: message.headers,
        tags: [{ name: 'tidings_message_id', value: message.id }, ...countOf(message)],
        attachments: message.attachments.map(({ name, mime, content }) => ({
          filename: name,
          content_type: mime,
          content: base64(content),
        })),
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'id'), reply),
      failure: readError,
    })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      url: 'https://api.resend.com/domains',
      headers: { authorization: `Bearer ${credentials.apiKey}` },
    })
    // Known, and may only send.
    if (answer.kind === 'reply' && field(answer.json, 'name') === 'restricted_api_key') return { kind: 'ok' }
    return readCheck(answer)
  },

  inbound: {
    mostBytes: 128 * 1024,
    key: {
      label: 'Signing secret',
      help: 'Of the webhook, on its page at resend.com/webhooks; it begins with whsec_.',
    },
    verify,
    read,
  },
})

/** Comes back with every event: events do not tell of cc and bcc. */
function countOf({ to, cc, bcc }: EmailMessage): { name: string; value: string }[] {
  const count = to.length + cc.length + bcc.length
  return count > 1 ? [{ name: 'tidings_recipients', value: String(count) }] : []
}

// A day may have to pass; longer than this we never wait at once.
const dailyPauseMs = 3_600_000

/** https://resend.com/docs/api-reference/errors */
function readError(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  switch (field(reply.json, 'name')) {
    // The key of an earlier try, which is still open or was another mail.
    case 'concurrent_idempotent_requests':
    case 'invalid_idempotent_request':
      return { kind: 'unknown', reason }
    case 'daily_quota_exceeded':
      return { kind: 'retry', reason, afterMs: dailyPauseMs, paces: true }
    case 'monthly_quota_exceeded':
      return { kind: 'rejected', reason, because: 'integration' }
    default:
      return undefined
  }
}

const mostSignatures = 10

/** By Svix, whose scheme is that of Standard Webhooks. https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests */
function verify({ headers, body, signingKey, now }: InboundCall): boolean {
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`svix-${name}`] ?? headers[`webhook-${name}`],
  )
  if (/^(whsec_)?$/.test(signingKey) || id === '' || !isRecent(timestamp, now)) return false
  const expected = signatureOf({ id, timestamp, secret: signingKey, body })
  // As many as there are keys in use while one takes over from another.
  return signatures.split(' ', mostSignatures).some((given) => sameText(given, expected))
}

/**
 * https://resend.com/docs/webhooks/event-types: one event in each call. Of a mail with several recipients each has its
 * own, but none says whose it is (resend.json of github.com/resend/resend-openapi): nobody may be blamed for it.
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const event = parseCallback(body)
  const to = field(event, 'data.to')
  const tags = field(event, 'data.tags')
  const addresses = Array.isArray(to) ? to : [to]
  const isOne = addresses.length === 1 && tagIn(tags, 'tidings_recipients') === undefined
  const about = {
    externalId: field(event, 'data.email_id'),
    messageId: tagIn(tags, 'tidings_message_id'),
    address: isOne ? addresses[0] : undefined,
    reason: undefined,
  }
  const bounced = (reason: unknown, permanent: boolean) => [
    toCallback({ kind: 'bounced', permanent: permanent && isOne, ...about, reason }),
  ]
  const type = textField(event, 'type')
  switch (type) {
    case 'email.delivered':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'email.complained':
      return [toCallback({ kind: 'complained', ...(!isOne && { permanent: false }), ...about })]
    case 'email.bounced':
      // The other types are Transient and Undetermined.
      return bounced(field(event, 'data.bounce.message'), field(event, 'data.bounce.type') === 'Permanent')
    case 'email.failed':
      return bounced(field(event, 'data.failed.reason'), false)
    case 'email.suppressed':
      return bounced(field(event, 'data.suppressed.message'), true)
    case 'email.opened':
      return [toCallback({ kind: 'opened', ...about })]
    case 'email.clicked':
      return [toCallback({ kind: 'clicked', ...about })]
    // On its way; or a mail to us.
    case 'email.sent':
    case 'email.scheduled':
    case 'email.received':
      return []
    default:
      // Others tell of contacts and domains.
      return type.startsWith('email.') ? [toCallback({ kind: 'other', ...about, name: type.slice(6) })] : []
  }
}

/** Tags come as they were given, or as one object. */
function tagIn(tags: unknown, name: string): unknown {
  if (!Array.isArray(tags)) return field(tags, name)
  return field(
    tags.find((tag) => field(tag, 'name') === name),
    'value',
  )
}
