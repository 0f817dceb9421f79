import { defineProvider, flag, host, object, optional, port, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'nodemailer',
  channel: 'email',
  displayName: 'Custom SMTP',
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
})
