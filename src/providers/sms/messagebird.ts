import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'messagebird',
  channel: 'sms',
  displayName: 'MessageBird',
  credentials: {
    accessKey: secret,
    from: optional(text),
  },
})
