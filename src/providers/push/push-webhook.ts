import { defineProvider, secret, secretUrl } from '../provider.ts'

export default defineProvider({
  id: 'push-webhook',
  channel: 'push',
  displayName: 'Push Webhook',
  credentials: {
    webhookUrl: secretUrl,
    // signs what we post
    secretKey: secret,
  },
})
