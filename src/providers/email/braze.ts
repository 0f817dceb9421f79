import { chunks } from '../../lib/chunks.ts'
import type { Http } from '../../lib/outbound.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import type { TokenCache } from '../provider-tools.ts'
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
    apiKey: named(
      secret,
      'REST API key',
      'With the permissions messages.send and users.export.ids; in Braze under Settings, APIs and Identifiers.',
    ),
    baseUrl: named(
      url,
      'REST endpoint',
      'Of your instance, such as https://rest.fra-01.braze.eu; https://www.braze.com/docs/api/basics lists them.',
    ),
    applicationId: named(
      text,
      'App identifier',
      'Of the app the mail belongs to; in Braze under Settings, APIs and Identifiers.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http, cached }) {
    if (message.attachments.length > 0) {
      return { kind: 'rejected', reason: 'Braze takes attachments only from a URL, not with the mail' }
    }
    const users = await findUsers({ http, cached }, credentials, [...message.to, ...message.cc, ...message.bcc])
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

type Tools = { http: Http; cached: TokenCache }
type Account = { baseUrl: string; apiKey: string }

// Not long: an address may get another user.
const rememberMs = 10 * 60_000
const atOnce = 5

/**
 * One user for each address. The question takes one address (external ids it takes by fifty) and is slow, so an answer
 * is kept. https://www.braze.com/docs/api/endpoints/export/user_data/post_users_identifier
 */
async function findUsers(tools: Tools, account: Account, addresses: readonly string[]): Promise<string[] | Outcome> {
  const lower = addresses.map((email) => email.toLowerCase())
  const different = addresses.filter((_email, at) => lower.indexOf(lower[at] ?? '') === at)
  const found = new Set<string>()
  for (const some of chunks(different, atOnce)) {
    const users = await Promise.all(
      some.map((email) => tools.cached(`user ${email.toLowerCase()}`, () => findUser(tools.http, account, email))),
    )
    for (const user of users) {
      if ('fault' in user) return user.fault
      found.add(user.token)
    }
  }
  return [...found]
}

async function findUser(
  http: Http,
  { baseUrl, apiKey }: Account,
  email: string,
): ReturnType<Parameters<TokenCache>[1]> {
  const answer = await http({
    url: joinUrl(baseUrl, 'users/export/ids'),
    headers: { authorization: `Bearer ${apiKey}` },
    json: { email_address: email, fields_to_export: ['external_id'] },
  })
  const outcome = readReply(answer)
  // Nothing is on its way yet, whatever came of the question.
  if (outcome.kind === 'unknown') return { fault: { kind: 'retry', reason: outcome.reason } }
  if (outcome.kind !== 'sent' || answer.kind !== 'reply') return { fault: outcome }
  const token = field(answer.json, 'users.0.external_id')
  if (typeof token !== 'string') return { fault: { kind: 'rejected', reason: 'Braze knows no user with this address' } }
  return { token, expiresInMs: rememberMs }
}

/** Braze renders every text as Liquid, and what a user wrote must not be one: each brace that would open a tag is printed. */
function literal(content: string): string {
  return content.replace(/\{(?=[{%])/g, "{{ '{' }}")
}
