import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'forty-six-elks',
  channel: 'sms',
  displayName: '46elks',
  credentials: {
    // API username
    user: text,
    // API password
    password: secret,
    from: optional(text),
  },
})
