import { choice, defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'sparkpost',
  channel: 'email',
  displayName: 'SparkPost',
  credentials: {
    apiKey: secret,
    region: optional(choice('default', 'eu')),
    from: optional(text),
    senderName: optional(text),
  },
})
