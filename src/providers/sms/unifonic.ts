import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'unifonic',
  channel: 'sms',
  displayName: 'Unifonic',
  credentials: {
    // authenticates alone
    appSid: secret,
    // the account has a default
    senderId: optional(text),
    from: optional(text),
  },
})
