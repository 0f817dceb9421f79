import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'sendinblue',
  channel: 'email',
  displayName: 'Brevo (formerly Sendinblue)',
  credentials: {
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
