import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'sendchamp',
  channel: 'sms',
  displayName: 'Sendchamp',
  credentials: {
    apiKey: secret,
    from: optional(text),
  },
})
