import { defineProvider, secret } from '../provider.ts'

export default defineProvider({
  id: 'fcm',
  channel: 'push',
  displayName: 'Firebase Cloud Messaging',
  credentials: {
    // the service account JSON
    serviceAccount: secret,
  },
})
