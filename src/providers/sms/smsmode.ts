import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'smsmode',
  channel: 'sms',
  displayName: 'smsmode',
  credentials: {
    apiKey: secret,
    from: optional(text),
  },
})
