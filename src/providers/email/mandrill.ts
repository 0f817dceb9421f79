import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'mandrill',
  channel: 'email',
  displayName: 'Mandrill',
  credentials: {
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
