import type { Http } from '../../lib/outbound.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { formatAddress } from '../shared/email-address.ts'
import { joinUrl } from '../shared/join-url.ts'
import { field } from '../shared/reply-field.ts'

/**
 * It sends to users, not to addresses: each address has to be that of a user it knows. Files it fetches from a URL, so
 * ours it cannot take.
 */
export default defineProvider({
  id: 'braze',
  channel: 'email',
  displayName: 'Braze',
  documentation: 'https://www.braze.com/docs/api/endpoints/messaging/send_messages/post_send_messages',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: secret,
    baseUrl: named(url, 'REST endpoint', 'Of your instance.'),
    applicationId: named(text, 'App ID'),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    if (message.attachments.length > 0) {
      return { kind: 'rejected', reason: 'Braze takes attachments only from a URL, not with the mail' }
    }
    const users = await findUsers(http, credentials, [...message.to, ...message.cc, ...message.bcc])
    if (!Array.isArray(users)) return users
    const answer = await http({
      url: joinUrl(credentials.baseUrl, 'messages/send'),
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      json: {
        external_user_ids: users,
        messages: {
          email: {
            app_id: credentials.applicationId,
            from: formatAddress(message.from),
            reply_to: message.replyTo,
            subject: literal(message.subject),
            body: literal(message.html || message.text),
            plaintext_body: message.text ? literal(message.text) : undefined,
            headers: message.headers,
            extras: { tidings_message_id: message.id },
          },
        },
        ...message.overrides,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'dispatch_id'), reply) })
  },
})

/** https://www.braze.com/docs/api/endpoints/export/user_data/post_users_identifier: one user for each address. */
async function findUsers(
  http: Http,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  addresses: readonly string[],
): Promise<string[] | Outcome> {
  const found: string[] = []
  for (const email_address of addresses) {
    const answer = await http({
      url: joinUrl(baseUrl, 'users/export/ids'),
      headers: { authorization: `Bearer ${apiKey}` },
      json: { email_address, fields_to_export: ['external_id'] },
    })
    const outcome = readReply(answer)
    // Nothing is on its way yet, whatever came of the question.
    if (outcome.kind === 'unknown') return { kind: 'retry', reason: outcome.reason }
    if (outcome.kind !== 'sent' || answer.kind !== 'reply') return outcome
    const id = field(answer.json, 'users.0.external_id')
    if (typeof id !== 'string') return { kind: 'rejected', reason: 'Braze knows no user with this address' }
    found.push(id)
  }
  return [...new Set(found)]
}

/** Braze renders every text as Liquid, and what a user wrote must not be one: each brace that would open a tag is printed. */
function literal(content: string): string {
  return content.replace(/\{(?=[{%])/g, "{{ '{' }}")
}
