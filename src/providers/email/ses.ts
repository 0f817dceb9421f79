import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'ses',
  channel: 'email',
  displayName: 'SES',
  credentials: {
    // access key id
    apiKey: secret,
    // secret access key
    secretKey: secret,
    region: text,
    from: optional(text),
    senderName: optional(text),
  },
})
