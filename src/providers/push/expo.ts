import { defineProvider, optional, secret } from '../provider.ts'

export default defineProvider({
  id: 'expo',
  channel: 'push',
  displayName: 'Expo Push',
  credentials: {
    // access token; Expo asks for one only with enhanced push security on
    apiKey: optional(secret),
  },
})
