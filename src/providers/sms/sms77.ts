import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'sms77',
  channel: 'sms',
  displayName: 'sms77',
  credentials: {
    apiKey: secret,
    from: optional(text),
  },
})
