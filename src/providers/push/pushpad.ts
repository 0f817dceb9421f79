import { defineProvider, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'pushpad',
  channel: 'push',
  displayName: 'Pushpad',
  credentials: {
    // auth token
    apiKey: secret,
    // project id
    applicationId: text,
  },
})
