import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'sns',
  channel: 'sms',
  displayName: 'SNS',
  credentials: {
    // access key id
    apiKey: secret,
    // secret access key
    secretKey: secret,
    region: text,
    // SenderID attribute
    from: optional(text),
  },
})
