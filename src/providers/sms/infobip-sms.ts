import { defineProvider, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'infobip-sms',
  channel: 'sms',
  displayName: 'Infobip',
  credentials: {
    apiKey: secret,
    // personal to the account; Infobip shows it without a scheme, xxxxx.api.infobip.com
    baseUrl: url,
    from: optional(text),
  },
})
