import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'twilio',
  channel: 'sms',
  displayName: 'Twilio',
  credentials: {
    accountSid: text,
    // auth token
    token: secret,
    // us1 unless given; ie1, au1, …
    region: optional(text),
    from: optional(text),
  },
})
