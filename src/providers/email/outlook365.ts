import type { SmtpServer } from '../../lib/outbound.ts'
import type { EmailMessage } from '../message.ts'
import { readCheck, readReply, reasonOf } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { fetchToken } from '../shared/fetch-token.ts'
import { mailWithinMs, sendMail } from '../shared/send-mail.ts'

/**
 * As an application with the permission Mail.Send. Either OAuth client credentials (clientId, secretKey, domain) or the
 * legacy password: no single field is always needed.
 */
export default defineProvider({
  id: 'outlook365',
  channel: 'email',
  displayName: 'Microsoft Outlook365',
  documentation: 'https://learn.microsoft.com/en-us/graph/api/user-sendmail',
  verified: 'documentation',
  traceable: true,
  sendWithinMs: mailWithinMs,
  needs: 'Client ID, secret and tenant, or a password',
  credentials: {
    clientId: named(
      where(optional(text)),
      'Client ID',
      'Of the Entra application. Without it, its secret and its tenant, the password is used.',
    ),
    secretKey: named(optional(secret), 'Client secret'),
    domain: named(where(optional(text)), 'Tenant', 'Entra tenant id or domain.'),
    password: named(optional(secret), 'Password', 'For SMTP sign-in, which Microsoft is retiring.'),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http, smtp, cached }) {
    const { password } = credentials
    const request = tokenRequest(credentials)
    if (request) {
      const token = await cached('graph', () => fetchToken(http, request))
      if ('fault' in token) return token.fault
      const answer = await http({
        url: `https://graph.microsoft.com/v1.0/users/${encodeURIComponent(message.from.email)}/sendMail`,
        headers: { authorization: `Bearer ${token.token}` },
        json: { message: toGraph(message), saveToSentItems: false, ...message.overrides },
      })
      // The path has only the sender's mailbox in it.
      return readReply(answer, {
        failure: (reply) =>
          reply.status === 404 ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' } : undefined,
      })
    }
    if (!password) return { kind: 'rejected', reason: incomplete, because: 'integration' }
    return sendMail(smtp, legacyServer(credentials.from || message.from.email, password), message)
  },

  async check({ credentials, http, smtp }) {
    const { from, password } = credentials
    const request = tokenRequest(credentials)
    if (request) return readCheck(await http(request))
    if (!password || !from) return { kind: 'refused', reason: incomplete }
    return readCheck(await smtp.verify(legacyServer(from, password)))
  },
})

const incomplete = 'needs clientId, secretKey and domain (the Entra tenant), or from and password'

type OAuth = { clientId: string | undefined; secretKey: string | undefined; domain: string | undefined }

/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
function tokenRequest({ clientId, secretKey, domain }: OAuth) {
  if (!clientId || !secretKey || !domain || !/^[a-zA-Z0-9.-]+$/.test(domain)) return undefined
  return {
    url: `https://login.microsoftonline.com/${domain}/oauth2/v2.0/token`,
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secretKey,
      scope: 'https://graph.microsoft.com/.default',
    },
  }
}

/** Graph takes one body, and of the headers only those that begin with x-. */
function toGraph(message: EmailMessage) {
  const headers = Object.entries(message.headers).map(([name, value]) => ({ name, value }))
  const own = [{ name: 'x-tidings-message-id', value: message.id }, ...headers.filter(({ name }) => /^x-/i.test(name))]
  return {
    from: { emailAddress: { address: message.from.email, name: message.from.name } },
    toRecipients: people(message.to),
    ccRecipients: people(message.cc),
    bccRecipients: people(message.bcc),
    replyTo: message.replyTo === undefined ? undefined : people([message.replyTo]),
    subject: message.subject,
    body: message.html
      ? { contentType: 'HTML', content: message.html }
      : { contentType: 'Text', content: message.text },
    internetMessageHeaders: own,
    attachments: message.attachments.map(({ name, mime, content }) => ({
      '@odata.type': '#microsoft.graph.fileAttachment',
      name,
      contentType: mime,
      contentBytes: base64(content),
    })),
  }
}

function people(addresses: readonly string[]) {
  return addresses.map((address) => ({ emailAddress: { address } }))
}

function legacyServer(user: string, password: string): SmtpServer {
  return {
    host: 'smtp.office365.com',
    port: 587,
    secure: false,
    requireTls: true,
    ignoreTls: false,
    tlsOptions: {},
    auth: { user, password },
  }
}
