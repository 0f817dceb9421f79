import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'plivo',
  channel: 'sms',
  displayName: 'Plivo',
  credentials: {
    // auth id
    accountSid: text,
    // auth token
    token: secret,
    from: optional(text),
  },
})
