import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'burst-sms',
  channel: 'sms',
  displayName: 'Kudosity (formerly BurstSMS)',
  credentials: {
    apiKey: secret,
    // API secret
    secretKey: secret,
    from: optional(text),
  },
})
