import { createHmac } from 'node:crypto'
import { isRecent } from '../callbacks/is-recent.ts'
import { parseCallback } from '../callbacks/parse-callback.ts'
import { toCallback } from '../callbacks/to-callback.ts'
import type { Callback, InboundCall } from '../inbound.ts'
import { readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { formatAddress } from '../shared/email-address.ts'
import { formParts } from '../shared/form-parts.ts'
import { joinUrl } from '../shared/join-url.ts'
import { field, textField } from '../shared/reply-field.ts'
import { sameText } from '../shared/same-text.ts'

export default defineProvider({
  id: 'mailgun',
  channel: 'email',
  displayName: 'Mailgun',
  documentation: 'https://documentation.mailgun.com/docs/mailgun/api-reference/openapi-final/tag/Messages/',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(
      secret,
      'API key',
      'A sending key of the domain is enough; at https://app.mailgun.com/settings/api_security.',
    ),
    domain: named(text, 'Sending domain', 'As it was verified at https://app.mailgun.com/mg/sending/domains.'),
    user: named(optional(text), 'User', 'The name beside the key in HTTP Basic: “api” unless given.'),
    baseUrl: named(
      optional(url),
      'Base URL',
      'For a domain in the EU: https://api.eu.mailgun.net. Unless given, https://api.mailgun.net.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    const values = {
      from: formatAddress(message.from),
      to: message.to,
      cc: message.cc,
      bcc: message.bcc,
      subject: message.subject,
      text: message.text || undefined,
      html: message.html || undefined,
      'h:Reply-To': message.replyTo,
      ...Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [`h:${name}`, value])),
      'v:tidings_message_id': message.id,
      ...message.overrides,
    }
    const answer = await http({
      url: messagesUrl(credentials),
      headers: { authorization: basicAuth(credentials.user || 'api', credentials.apiKey) },
      multipart: formParts(values, message.attachments),
    })
    return readReply(answer, {
      success: (reply) => sentWith(bare(field(reply.json, 'id')), reply),
      // The path has only the domain in it.
      failure: (reply) =>
        reply.status === 404 ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' } : undefined,
    })
  },

  /** A key for sending may do nothing else: so a mail without anything, which is refused as bad once the key is known. */
  async check({ credentials, http }) {
    const answer = await http({
      url: messagesUrl(credentials),
      headers: { authorization: basicAuth(credentials.user || 'api', credentials.apiKey) },
      form: {},
    })
    return answer.kind === 'reply' && answer.status === 400 ? { kind: 'ok' } : readCheck(answer)
  },

  inbound: {
    mostBytes: 128 * 1024,
    key: { label: 'HTTP webhook signing key', help: 'Mailgun shows it under API security.' },
    verify,
    once: ({ body }) => signatureIn(body).token,
    read,
  },
})

function messagesUrl({ domain, baseUrl }: { domain: string; baseUrl: string | undefined }): string {
  return joinUrl(baseUrl || 'https://api.mailgun.net', `v3/${encodeURIComponent(domain)}/messages`)
}

/** The reply has its id in angle brackets, the events have it without. */
function bare(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/^<|>$/g, '') : id
}

// A call that was not taken comes again after 5, 10 and 15 minutes and after 1, 2 and 4 hours; whether with a new time is
// not said. https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-retries
// A token is remembered for longer than this: `tokenLifeMs` of core/feedback/receive-callbacks.ts.
const mostAgeMs = 12 * 3_600_000

/**
 * By the HTTP webhook signing key. Mailgun signs only its timestamp and a random token, both inside the body; a
 * subaccount's events are signed with the key of the account above it too.
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
function verify({ body, signingKey, now }: InboundCall): boolean {
  const { timestamp, token, signature, parent } = signatureIn(body)
  if (signingKey === '' || token === '' || !isRecent(timestamp, now, mostAgeMs)) return false
  const expected = createHmac('sha256', signingKey)
    .update(timestamp + token, 'utf8')
    .digest('hex')
  return [signature, parent].some((given) => sameText(given, expected))
}

function signatureIn(body: string) {
  const json = parseCallback(body)
  const part = (name: string) => textField(json, `signature.${name}`)
  return {
    timestamp: part('timestamp'),
    token: part('token'),
    signature: part('signature'),
    parent: part('parent-signature'),
  }
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const event = field(parseCallback(body), 'event-data')
  const [name, reason] = [textField(event, 'event'), field(event, 'reason')]
  const about = {
    externalId: field(event, 'message.headers.message-id'),
    messageId: field(event, 'user-variables.tidings_message_id'),
    address: field(event, 'recipient'),
    reason: field(event, 'delivery-status.message') || field(event, 'delivery-status.description') || reason,
  }
  switch (name) {
    case '':
    case 'accepted':
      return []
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
    case 'complained':
      return [toCallback({ kind: 'complained', ...about })]
    case 'failed': {
      // Of a temporary failure Mailgun will try again by itself: nothing has bounced yet. Its webhook has this name.
      if (field(event, 'severity') !== 'permanent') {
        return [toCallback({ kind: 'other', ...about, name: 'temporary_fail' })]
      }
      return [toCallback({ kind: 'bounced', permanent: reason === 'bounce' || reason === 'suppress-bounce', ...about })]
    }
    // Mailgun itself did not want to send it.
    case 'rejected':
      return [toCallback({ kind: 'bounced', permanent: false, ...about, reason: field(event, 'reject.reason') })]
    case 'opened':
      return [toCallback({ kind: 'opened', ...about })]
    case 'clicked':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'unsubscribed':
      return [toCallback({ kind: 'unsubscribed', ...about })]
    default:
      return [toCallback({ kind: 'other', ...about, name })]
  }
}
