import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'afro-message',
  channel: 'sms',
  displayName: 'Afro Message',
  credentials: {
    apiKey: secret,
    // identifier id; the account has a default
    from: optional(text),
    // sender; the account has a default
    senderName: optional(text),
  },
})
