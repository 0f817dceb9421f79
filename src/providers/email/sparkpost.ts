import { isPlainObject } from '../../lib/canonical-json.ts'
import type { HttpReply } from '../../lib/outbound.ts'
import { sparkpostCallbacks } from '../callbacks/sparkpost.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { choice, defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { field } from '../shared/reply-field.ts'

/**
 * A List-Unsubscribe of our own stays only in a mail that is transactional; any other gets SparkPost's instead
 * (https://support.sparkpost.com/docs/user-guide/remove-list-unsubscribe-header, and
 * https://github.com/SparkPost/python-sparkpost/issues/163).
 *
 * It is said to send once in 24 hours for one Idempotency-Key, and to answer 409 while the first try is open (1601) or
 * if it had another body (1600): https://github.com/SparkPost/developers.sparkpost.com/pull/590. The page itself was not
 * seen with it yet, so the key goes along and nothing is promised.
 */
export default defineProvider({
  id: 'sparkpost',
  channel: 'email',
  displayName: 'SparkPost',
  documentation: 'https://developers.sparkpost.com/api/transmissions/',
  // What becomes of List-Unsubscribe is told by its users only.
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    apiKey: named(
      secret,
      'API key',
      'With the grant Transmissions; at https://app.sparkpost.com/account/api-keys, or app.eu.sparkpost.com.',
    ),
    region: named(
      where(optional(choice('default', 'eu'))),
      'Region',
      'Choose eu for an account of app.eu.sparkpost.com.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    // Everybody is a recipient of a copy of their own; the headers say who counts as what.
    const header_to = message.to.join(', ')
    const copies = message.cc.length === 0 ? {} : { CC: message.cc.join(', ') }
    const answer = await http({
      url: `${host(credentials)}/api/v1/transmissions`,
      headers: { authorization: credentials.apiKey, 'idempotency-key': message.key },
      json: {
        recipients: [...message.to, ...message.cc, ...message.bcc].map((email) => ({ address: { email, header_to } })),
        content: {
          from: { ...message.from, ...(message.from.name && { name: literal(message.from.name) }) },
          reply_to: message.replyTo === undefined ? undefined : literal(message.replyTo),
          subject: literal(message.subject),
          text: message.text ? literal(message.text) : undefined,
          html: message.html ? literal(message.html) : undefined,
          headers: { ...literals(message.headers), ...copies },
          attachments: message.attachments.map(({ name, mime, content }) => ({
            name,
            type: mime,
            data: base64(content),
          })),
        },
        metadata: { tidings_message_id: message.id },
        ...message.overrides,
        options: { transactional: true, ...(isPlainObject(message.overrides.options) && message.overrides.options) },
      },
    })
    return readReply(answer, { success: readResults, failure: readError })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      url: `${host(credentials)}/api/v1/account`,
      headers: { authorization: credentials.apiKey },
    })
    // A strange key is a 401; this one is known, and may send but not read the account.
    return answer.kind === 'reply' && answer.status === 403 ? { kind: 'ok' } : readCheck(answer)
  },

  inbound: sparkpostCallbacks,
})

function host({ region }: { region: string | undefined }): string {
  return region === 'eu' ? 'https://api.eu.sparkpost.com' : 'https://api.sparkpost.com'
}

/** SparkPost takes every text for a template. https://developers.sparkpost.com/api/template-language/ */
function literal(content: string): string {
  return content.replaceAll('{{', '{{opening_double_curly()}}')
}

function literals(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, literal(value)]))
}

function readResults(reply: HttpReply): Outcome {
  const refused = Number(field(reply.json, 'results.total_rejected_recipients'))
  const isRefused = field(reply.json, 'results.total_accepted_recipients') === 0 && refused > 0
  if (isRefused) return { kind: 'rejected', reason: `${reply.status} all recipients were rejected` }
  const outcome = sentWith(field(reply.json, 'results.id'), reply)
  return outcome.kind === 'sent' && refused > 0 ? { ...outcome, note: `${refused} recipients were rejected` } : outcome
}

function readError(reply: HttpReply): Outcome | undefined {
  const code = String(field(reply.json, 'errors.0.code'))
  const words = field(reply.json, 'errors.0.description') ?? field(reply.json, 'errors.0.message')
  const reason = typeof words === 'string' ? `${reply.status} ${words}`.slice(0, 500) : reasonOf(reply)
  // Past the account's limit of the hour or the day; that of the month, or the five of the sandbox, nobody waits for.
  // https://developers.sparkpost.com/api/transmissions/#header-sending-limits
  if (reply.status === 420) {
    const isLong = /month|sandbox/i.test(reason)
    return isLong ? { kind: 'rejected', reason, because: 'integration' } : { kind: 'retry', reason, paces: true }
  }
  if (reply.status === 409 && (code === '1600' || code === '1601')) return { kind: 'unknown', reason }
  // A sending domain that is not set up or not verified.
  if (code === '7001') return { kind: 'rejected', reason, because: 'integration' }
  // Message generation rejected, here because the address is on the suppression list.
  if (code === '1902' && /suppress/i.test(reason)) return { kind: 'rejected', reason, because: 'gone' }
  return undefined
}
