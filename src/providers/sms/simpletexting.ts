import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'simpletexting',
  channel: 'sms',
  displayName: 'SimpleTexting',
  credentials: {
    apiKey: secret,
    // accountPhone
    from: optional(text),
  },
})
