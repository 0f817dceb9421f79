import type { HttpReply } from '../../lib/outbound.ts'
import { mailersendCallbacks } from '../callbacks/mailersend.ts'
import type { EmailMessage } from '../message.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { recipients } from '../shared/email-address.ts'
import { field } from '../shared/reply-field.ts'

/**
 * `headers` and `list_unsubscribe` are for the plans Professional and Enterprise, and a lower one refuses the whole mail;
 * without them MailerSend adds a List-Unsubscribe of its own. https://www.mailersend.com/help/custom-headers
 */
export default defineProvider({
  id: 'mailersend',
  channel: 'email',
  displayName: 'MailerSend',
  documentation: 'https://developers.mailersend.com/api/v1/email.html',
  // The code of that refusal is known from people who met it only.
  verified: 'documentation in part',
  credentials: {
    apiKey: named(
      secret,
      'API token',
      'With access to e-mail; at https://app.mailersend.com/api-tokens. It is shown once.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    const send = (own: Partial<ReturnType<typeof ownHeaders>>) =>
      http({
        url: 'https://api.mailersend.com/v1/email',
        headers: { accept: 'application/json', authorization: `Bearer ${credentials.apiKey}` },
        json: { ...toMailersend(message), ...own, ...message.overrides },
      })
    const names = Object.keys(message.headers)
    const first = await send(ownHeaders(message.headers))
    // A 422 has sent nothing, and names what it is about.
    const isWithout = names.length > 0 && first.kind === 'reply' && refusesHeaders(first)
    const outcome = readReply(isWithout ? await send({}) : first, {
      success: (reply) => suppressed(reply) ?? sentWith(reply.headers['x-message-id'], reply),
      failure: readError,
    })
    if (!isWithout || outcome.kind !== 'sent') return outcome
    return { ...outcome, note: `sent without ${names.join(', ')}: the MailerSend plan takes no headers`.slice(0, 500) }
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.mailersend.com/v1/api-quota',
        headers: { accept: 'application/json', authorization: `Bearer ${credentials.apiKey}` },
      }),
    ),

  inbound: mailersendCallbacks,
})

function toMailersend(message: EmailMessage) {
  return {
    from: message.from,
    to: recipients(message.to),
    cc: recipients(message.cc),
    bcc: recipients(message.bcc),
    reply_to: message.replyTo === undefined ? undefined : { email: message.replyTo },
    subject: message.subject,
    text: message.text || undefined,
    html: message.html || undefined,
    attachments: message.attachments.map(({ name, content }) => ({
      filename: name,
      content: base64(content),
      disposition: 'attachment',
    })),
  }
}

/** `headers` cannot replace one that MailerSend writes, and it writes List-Unsubscribe and its -Post itself. */
function ownHeaders(given: EmailMessage['headers']) {
  const entries = Object.entries(given)
  const [, link] = entries.find(([name]) => /^list-unsubscribe$/i.test(name)) ?? []
  const headers = entries
    .filter(([name]) => !/^list-unsubscribe(-post)?$/i.test(name))
    .map(([name, value]) => ({ name, value }))
  return {
    headers: headers.length === 0 ? undefined : headers,
    list_unsubscribe: link === undefined ? undefined : oneLink(link),
  }
}

/** It takes one, without its brackets, and only one of https is a single click. */
function oneLink(value: string): string {
  const links = value.split(',').map((link) => link.trim().replace(/^<|>$/g, ''))
  return links.find((link) => /^https:/i.test(link)) ?? links[0] ?? value
}

// "This feature requires a higher plan."
const higherPlan = '#MS42235'

function refusesHeaders({ status, text, json }: HttpReply): boolean {
  if (status !== 422) return false
  return (
    text.includes(higherPlan) ||
    ['headers', 'list_unsubscribe'].some((name) => field(json, `errors.${name}`) !== undefined)
  )
}

// The domain of the sender is not verified, as on the page about sending.
const unverified = '#MS42207'

function readError(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  // Maintenance.
  if (reply.status === 421) return { kind: 'retry', reason }
  if (reply.status === 422 && reply.text.includes(unverified))
    return { kind: 'rejected', reason, because: 'integration' }
  return undefined
}

/** Accepted, and nobody gets it: they all bounced, complained or unsubscribed before. */
function suppressed({ status, json }: HttpReply): Outcome | undefined {
  if (field(json, 'warnings.0.type') !== 'ALL_SUPPRESSED') return undefined
  return { kind: 'rejected', reason: `${status} all recipients are suppressed`, because: 'gone' }
}
