import { defineProvider, optional, secret, secretUrl, text } from '../provider.ts'

export default defineProvider({
  id: 'email-webhook',
  channel: 'email',
  displayName: 'Email Webhook',
  credentials: {
    webhookUrl: secretUrl,
    // signs what we post
    secretKey: secret,
    from: optional(text),
    senderName: optional(text),
  },
})
