import { defineProvider, secret } from '../provider.ts'

export default defineProvider({
  id: 'getstream',
  channel: 'chat',
  displayName: 'GetStream',
  credentials: {
    apiKey: secret,
  },
})
