import { defineProvider, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'termii',
  channel: 'sms',
  displayName: 'Termii',
  credentials: {
    apiKey: secret,
    // shown in the account; https://api.ng.termii.com unless given
    baseUrl: optional(url),
    from: optional(text),
  },
})
