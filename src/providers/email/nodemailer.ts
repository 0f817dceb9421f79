import type { SmtpServer } from '../../lib/outbound.ts'
import { readCheck } from '../outcome.ts'
import { defineProvider, flag, host, named, object, optional, port, secret, text } from '../provider.ts'
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
    host: named(host, 'SMTP host', 'Of the mail server, such as smtp.example.com.'),
    port: named(port, 'SMTP port', 'Mostly 587, or 465 for TLS from the first byte.'),
    user: named(optional(text), 'User', 'Signs in only when user and password are both given.'),
    password: named(optional(secret), 'Password', 'Of this user. Some servers want one made for apps.'),
    secure: named(
      flag,
      'TLS from the first byte',
      'As on port 465. Without it the connection begins plain and changes to TLS where the server offers it.',
    ),
    requireTls: named(flag, 'Require TLS', 'Sends nothing where the server offers no STARTTLS.'),
    ignoreTls: named(flag, 'Never use TLS', 'Also where the server offers STARTTLS.'),
    tlsOptions: named(
      object,
      'TLS options',
      'As in Node: ca, cert, key, passphrase, servername, ciphers, minVersion, maxVersion, rejectUnauthorized.',
    ),
    domain: named(
      optional(text),
      'DKIM domain',
      'The domain that signs. A mail is signed with DKIM when domain, selector and private key are all given.',
    ),
    accountSid: named(
      optional(text),
      'DKIM selector',
      'The public key is in the DNS at <selector>._domainkey.<domain>.',
    ),
    secretKey: named(optional(secret), 'DKIM private key', 'As PEM, with the lines that begin and end it.'),
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
