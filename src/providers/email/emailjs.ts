import type { SmtpServer } from '../../lib/outbound.ts'
import { readCheck } from '../outcome.ts'
import { defineProvider, flag, host, named, optional, port, secret, text } from '../provider.ts'
import { mailWithinMs, sendMail } from '../shared/send-mail.ts'

/** A server that speaks SMTP (RFC 5321), always with a login. The mail has our id in its Message-ID. */
export default defineProvider({
  id: 'emailjs',
  channel: 'email',
  displayName: 'EmailJS (SMTP client)',
  documentation: 'https://www.rfc-editor.org/rfc/rfc5321',
  verified: 'standard',
  sendWithinMs: mailWithinMs,
  credentials: {
    host: named(host, 'SMTP host', 'Of the mail server, such as smtp.example.com.'),
    port: named(port, 'SMTP port', 'Mostly 587, or 465 for TLS from the first byte.'),
    user: named(text, 'User', 'Signs in to the mail server; mostly the mail address.'),
    password: named(secret, 'Password', 'Of this user. Some servers want one made for apps.'),
    secure: named(
      flag,
      'TLS from the first byte',
      'As on port 465. Without it the connection begins plain, and has to change to TLS before the password goes.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  send: ({ credentials, message, smtp }) => sendMail(smtp, toServer(credentials), message),

  check: async ({ credentials, smtp }) => readCheck(await smtp.verify(toServer(credentials))),
})

type Credentials = { host: string; port: string; user: string; password: string; secure: boolean }

function toServer({ host, port, user, password, secure }: Credentials): SmtpServer {
  // A password goes over TLS only, from the first byte or after STARTTLS (RFC 8314).
  return {
    host,
    port: Number(port),
    secure,
    requireTls: !secure,
    ignoreTls: false,
    tlsOptions: {},
    auth: { user, password },
  }
}
