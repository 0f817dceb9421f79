import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'netcore',
  channel: 'email',
  displayName: 'Netcore',
  credentials: {
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
