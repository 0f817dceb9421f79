import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'nexmo',
  channel: 'sms',
  displayName: 'Nexmo',
  credentials: {
    apiKey: secret,
    // API secret
    secretKey: secret,
    from: optional(text),
  },
})
