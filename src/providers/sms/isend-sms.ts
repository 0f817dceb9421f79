import { defineProvider, optional, secret, text } from '../provider.ts'

/** The vendor's contentType (plain or unicode) has no field: it follows from the text. */
export default defineProvider({
  id: 'isend-sms',
  channel: 'sms',
  displayName: 'iSend SMS',
  credentials: {
    apiToken: secret,
    from: optional(text),
  },
})
