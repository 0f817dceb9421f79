import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'firetext',
  channel: 'sms',
  displayName: 'Firetext',
  credentials: {
    apiKey: secret,
    from: optional(text),
  },
})
