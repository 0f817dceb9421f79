import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'plunk',
  channel: 'email',
  displayName: 'Plunk',
  credentials: {
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
