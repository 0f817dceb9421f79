import { defineProvider, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'one-signal',
  channel: 'push',
  displayName: 'OneSignal',
  credentials: {
    // app id
    applicationId: text,
    // REST API key
    apiKey: secret,
  },
})
