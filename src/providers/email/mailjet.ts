import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'mailjet',
  channel: 'email',
  displayName: 'Mailjet',
  credentials: {
    apiKey: secret,
    secretKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
