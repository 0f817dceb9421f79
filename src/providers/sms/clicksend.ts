import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'clicksend',
  channel: 'sms',
  displayName: 'Clicksend',
  credentials: {
    // username
    user: text,
    apiKey: secret,
    from: optional(text),
  },
})
