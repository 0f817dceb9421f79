import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'bulk-sms',
  channel: 'sms',
  displayName: 'BulkSMS',
  credentials: {
    // "<token id>:<token secret>"
    apiToken: secret,
    from: optional(text),
  },
})
