import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'imedia',
  channel: 'sms',
  displayName: 'iMedia',
  credentials: {
    token: secret,
    from: optional(text),
  },
})
