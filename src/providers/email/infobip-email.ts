import { defineProvider, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'infobip-email',
  channel: 'email',
  displayName: 'Infobip',
  credentials: {
    apiKey: secret,
    // personal to the account; Infobip shows it without a scheme, xxxxx.api.infobip.com
    baseUrl: url,
    from: optional(text),
    senderName: optional(text),
  },
})
