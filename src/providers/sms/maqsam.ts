import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'maqsam',
  channel: 'sms',
  displayName: 'Maqsam',
  credentials: {
    // access key id
    apiKey: secret,
    // access secret
    secretKey: secret,
    from: optional(text),
  },
})
