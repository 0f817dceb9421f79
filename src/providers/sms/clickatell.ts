import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'clickatell',
  channel: 'sms',
  displayName: 'clickatell',
  credentials: {
    apiKey: secret,
    from: optional(text),
  },
})
