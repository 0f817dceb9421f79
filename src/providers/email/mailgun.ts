import { defineProvider, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'mailgun',
  channel: 'email',
  displayName: 'Mailgun',
  credentials: {
    apiKey: secret,
    // the sending domain, part of the path
    domain: text,
    // HTTP Basic user name; always "api" at Mailgun unless given
    user: optional(text),
    // https://api.mailgun.net unless given; the EU has its own host
    baseUrl: optional(url),
    from: optional(text),
    senderName: optional(text),
  },
})
