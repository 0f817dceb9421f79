import type { SmtpServer } from '../../lib/outbound.ts'
import { readCheck } from '../outcome.ts'
import { defineProvider, flag, host, object, optional, port, secret, text } from '../provider.ts'
import { mailWithinMs, sendMail } from '../shared/send-mail.ts'

/** Any server that speaks SMTP (RFC 5321). The mail has our id in its Message-ID. */
export default defineProvider({
  id: 'nodemailer',
  channel: 'email',
  displayName: 'Custom SMTP',
  documentation: 'https://www.rfc-editor.org/rfc/rfc5321',
  verified: 'standard',
  sendWithinMs: mailWithinMs,
  credentials: {
    host: host,
    port: port,
    // SMTP AUTH is used only when user and password are both given
    user: optional(text),
    password: optional(secret),
    // implicit TLS
    secure: flag,
    // STARTTLS policy
    requireTls: flag,
    ignoreTls: flag,
    tlsOptions: object,
    // DKIM: domain name
    domain: optional(text),
    // DKIM: private key
    secretKey: optional(secret),
    // DKIM: key selector
    accountSid: optional(text),
    from: optional(text),
    senderName: optional(text),
  },

  send: ({ credentials, message, smtp }) => sendMail(smtp, toServer(credentials), message),

  check: async ({ credentials, smtp }) => readCheck(await smtp.verify(toServer(credentials))),
})

type Credentials = {
  host: string
  port: string
  user: string | undefined
  password: string | undefined
  secure: boolean
  requireTls: boolean
  ignoreTls: boolean
  tlsOptions: Readonly<Record<string, unknown>>
  domain: string | undefined
  secretKey: string | undefined
  accountSid: string | undefined
}

function toServer(credentials: Credentials): SmtpServer {
  const { host, user, password, secure, requireTls, ignoreTls, tlsOptions } = credentials
  const { domain, accountSid: selector, secretKey: privateKey } = credentials
  return {
    host,
    port: Number(credentials.port),
    secure,
    requireTls,
    ignoreTls,
    tlsOptions,
    ...(user && password && { auth: { user, password } }),
    ...(domain && selector && privateKey && { dkim: { domain, selector, privateKey } }),
  }
}
