import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'brevo-sms',
  channel: 'sms',
  displayName: 'Brevo',
  credentials: {
    apiKey: secret,
    from: optional(text),
  },
})
