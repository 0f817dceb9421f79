import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'gupshup',
  channel: 'sms',
  displayName: 'Gupshup',
  credentials: {
    // userid
    user: text,
    password: secret,
    // mask
    from: optional(text),
  },
})
