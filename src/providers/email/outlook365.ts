import type { SmtpServer } from '../../lib/outbound.ts'
import { readCheck } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { fetchToken } from '../shared/fetch-token.ts'
import { sendGraphMail } from '../shared/graph-mail.ts'
import { mailWithinMs, sendMail } from '../shared/send-mail.ts'

/**
 * As an application with the permission Mail.Send, and Mail.ReadWrite for mails of more than 4 MB. Either OAuth client
 * credentials (clientId, secretKey, domain) or the legacy password: no single field is always needed.
 */
export default defineProvider({
  id: 'outlook365',
  channel: 'email',
  displayName: 'Microsoft Outlook365',
  documentation: 'https://learn.microsoft.com/en-us/graph/api/user-sendmail',
  // What becomes of headers is told by its users only: shared/graph-mail.ts.
  verified: 'documentation in part',
  traceable: true,
  sendWithinMs: mailWithinMs,
  needs: 'Client ID, secret and tenant, or a password',
  credentials: {
    clientId: named(
      where(optional(text)),
      'Application (client) ID',
      'On the overview of the app registration at https://entra.microsoft.com. Without it, its secret and its tenant, the password is used.',
    ),
    secretKey: named(
      optional(secret),
      'Client secret',
      'The value, not the ID, under Certificates & secrets of the app registration.',
    ),
    domain: named(
      where(optional(text)),
      'Directory (tenant) ID',
      'On the overview of the app registration; a domain of the tenant does as well.',
    ),
    password: named(
      optional(secret),
      'Password',
      'Of the mailbox, for SMTP AUTH with basic authentication, which Microsoft is switching off for Exchange Online: use an app registration instead.',
    ),
    from: optional(text),
    senderName: optional(text),
  },
  missing({ password, ...app }) {
    const names = ['clientId', 'secretKey', 'domain'] as const
    return password ? [] : names.filter((name) => !app[name])
  },

  async send({ credentials, message, http, smtp, cached }) {
    const { password } = credentials
    const request = tokenRequest(credentials)
    if (request) {
      const token = await cached('graph', () => fetchToken(http, request))
      if ('fault' in token) return token.fault
      return sendGraphMail({ http, token: token.token }, message)
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
