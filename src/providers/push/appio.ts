import { defineProvider, optional, secret, url } from '../provider.ts'

export default defineProvider({
  id: 'appio',
  channel: 'push',
  displayName: 'AppIO',
  credentials: {
    // subscription key of the service; a trigger may supply it instead
    apiKey: optional(secret),
    // https://api.io.italia.it/api/v1 unless given
    AppIOBaseUrl: optional(url),
  },
})
