import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'africas-talking',
  channel: 'sms',
  displayName: "Africa's Talking",
  credentials: {
    apiKey: secret,
    // username; "sandbox" selects the sandbox
    user: text,
    from: optional(text),
  },
})
