import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'resend',
  channel: 'email',
  displayName: 'Resend',
  credentials: {
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
