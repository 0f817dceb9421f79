import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'bandwidth',
  channel: 'sms',
  displayName: 'Bandwidth',
  credentials: {
    user: text,
    password: secret,
    // account id
    accountSid: text,
    // the messaging application the sender number belongs to; messages name it; the account id stands in when it is absent
    applicationId: optional(text),
    from: optional(text),
  },
})
