import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { isRecent } from '../callbacks/is-recent.ts'
import { eventsIn, parseCallback } from '../callbacks/parse-callback.ts'
import { toCallback } from '../callbacks/to-callback.ts'
import type { Callback, InboundCall } from '../inbound.ts'
import { readCheck, readReply, sentWith } from '../outcome.ts'
import { choice, defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { recipients } from '../shared/email-address.ts'
import { field, textField } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'sendgrid',
  channel: 'email',
  displayName: 'SendGrid',
  documentation: 'https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'With access to Mail Send; at https://app.sendgrid.com/settings/api_keys.'),
    region: named(
      where(optional(choice('global', 'eu'))),
      'Region',
      'Choose eu with the key of a subuser whose data stays in the EU.',
    ),
    ipPoolName: named(
      optional(text),
      'IP pool',
      'Sends from the dedicated addresses of this pool; at https://app.sendgrid.com/settings/ip_addresses.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    // One address may stand only once in all three lists, or the whole request is refused.
    const to = unique(message.to)
    const cc = unique(message.cc, to)
    const bcc = unique(message.bcc, [...to, ...cc])
    const answer = await http({
      url: `${host(credentials)}/v3/mail/send`,
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      json: {
        personalizations: [{ to: recipients(to), cc: recipients(cc), bcc: recipients(bcc) }],
        from: message.from,
        reply_to: message.replyTo === undefined ? undefined : { email: message.replyTo },
        subject: message.subject,
        // Plain text first, and none that is empty.
        content: [
          { type: 'text/plain', value: message.text },
          { type: 'text/html', value: message.html },
        ].filter(({ value }) => value !== ''),
        headers: message.headers,
        custom_args: { tidings_message_id: message.id },
        ip_pool_name: credentials.ipPoolName,
        attachments:
          message.attachments.length === 0
            ? undefined
            : message.attachments.map(({ name, mime, content }) => ({
                filename: name,
                type: mime,
                content: base64(content),
                disposition: 'attachment',
              })),
        ...message.overrides,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(reply.headers['x-message-id'], reply) })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      url: `${host(credentials)}/v3/scopes`,
      headers: { authorization: `Bearer ${credentials.apiKey}` },
    })
    const scopes = answer.kind === 'reply' && field(answer.json, 'scopes')
    if (Array.isArray(scopes) && !scopes.includes('mail.send')) {
      return { kind: 'refused', reason: 'the key may not send mail: it lacks the scope mail.send' }
    }
    return readCheck(answer)
  },

  // It gathers events until they are 768 KB.
  inbound: {
    mostBytes: 1024 * 1024,
    key: { label: 'Verification key', help: 'Shown at Mail settings, Event webhook, once signing is switched on.' },
    verify,
    read,
  },
})

function host({ region }: { region: string | undefined }): string {
  return region === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com'
}

function unique(addresses: readonly string[], taken: readonly string[] = []): string[] {
  const seen = new Set(taken.map((address) => address.toLowerCase()))
  return addresses.filter((address) => !seen.has(address.toLowerCase()) && seen.add(address.toLowerCase()))
}

// SendGrid repeats a call for a day, and does not say whether it signs it anew. The body is signed: a repeated call
// tells what is known.
const mostAgeMs = 24 * 3_600_000

/**
 * The signing key is the verification key the dashboard shows: ECDSA on P-256, over the timestamp and the body.
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
function verify({ headers, body, signingKey, now }: InboundCall): boolean {
  const signature = headers['x-twilio-email-event-webhook-signature'] ?? ''
  const timestamp = headers['x-twilio-email-event-webhook-timestamp'] ?? ''
  if (!isRecent(timestamp, now, mostAgeMs)) return false
  try {
    const der = Buffer.from(signingKey.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verifySignature('sha256', Buffer.from(timestamp + body, 'utf8'), key, Buffer.from(signature, 'base64'))
  } catch {
    // The signing key that was saved is not a key.
    return false
  }
}

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  return eventsIn(parseCallback(body)).flatMap((event) => {
    const [name, reason] = [textField(event, 'event'), textField(event, 'reason')]
    const about = {
      // What the reply called x-message-id, and then where it went inside SendGrid.
      externalId: textField(event, 'sg_message_id').replace(/\.(recvd|filter).*$/s, ''),
      messageId: field(event, 'tidings_message_id'),
      address: field(event, 'email'),
      reason,
    }
    switch (name) {
      case '':
      case 'processed':
        return []
      case 'delivered':
        return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
      case 'spamreport':
        return [toCallback({ kind: 'complained', ...about })]
      case 'bounce':
        // The other type is blocked: refused this time, and it may pass.
        return [toCallback({ kind: 'bounced', permanent: field(event, 'type') === 'bounce', ...about })]
      case 'dropped':
        // Not even tried, mostly since an earlier one bounced. "Invalid SMTPAPI header" is a fault of the sender.
        return [toCallback({ kind: 'bounced', permanent: /^(bounced address|invalid$)/i.test(reason), ...about })]
      case 'open': {
        const isMachine = field(event, 'sg_machine_open') === true
        return [toCallback({ kind: 'opened', ...about, ...(isMachine && { reason: 'loaded by a machine' }) })]
      }
      case 'click':
        return [toCallback({ kind: 'clicked', ...about })]
      case 'unsubscribe':
        return [toCallback({ kind: 'unsubscribed', ...about })]
      default:
        // deferred, of which SendGrid will try again; group_unsubscribe, which leaves one group of several; and new ones.
        return [toCallback({ kind: 'other', ...about, reason: reason || field(event, 'response'), name })]
    }
  })
}
