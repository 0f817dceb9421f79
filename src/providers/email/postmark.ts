import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'postmark',
  channel: 'email',
  displayName: 'Postmark',
  credentials: {
    // the server token
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
