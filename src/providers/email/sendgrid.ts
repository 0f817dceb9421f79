import { choice, defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'sendgrid',
  channel: 'email',
  displayName: 'SendGrid',
  credentials: {
    apiKey: secret,
    region: optional(choice('global', 'eu')),
    ipPoolName: optional(text),
    from: optional(text),
    senderName: optional(text),
  },
})
