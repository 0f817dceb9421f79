import { defineProvider, flag, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'ring-central',
  channel: 'sms',
  displayName: 'RingCentral',
  credentials: {
    clientId: text,
    // client secret
    secretKey: secret,
    // JWT
    token: secret,
    // true selects the sandbox
    secure: flag,
    from: optional(text),
  },
})
