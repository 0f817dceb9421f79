import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'mailtrap',
  channel: 'email',
  displayName: 'Mailtrap',
  credentials: {
    apiKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
