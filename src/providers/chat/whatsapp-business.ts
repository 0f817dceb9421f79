import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'whatsapp-business',
  channel: 'chat',
  displayName: 'WhatsApp Business',
  credentials: {
    // access token
    apiToken: secret,
    // phone number id
    phoneNumberIdentification: text,
    // app secret: verifies inbound calls, not needed to send
    secretKey: optional(secret),
    // verify token: the same
    token: optional(secret),
  },
})
