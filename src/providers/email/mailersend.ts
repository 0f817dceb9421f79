import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'mailersend',
  channel: 'email',
  displayName: 'MailerSend',
  credentials: {
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
