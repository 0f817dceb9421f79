import { defineProvider, optional, secret } from '../provider.ts'

export default defineProvider({
  id: 'chat-webhook',
  channel: 'chat',
  displayName: 'Chat Webhook',
  usesSubscriberWebhook: true,
  credentials: {
    // signs what we post
    secretKey: optional(secret),
  },
})
