import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'telnyx',
  channel: 'sms',
  displayName: 'Telnyx',
  credentials: {
    apiKey: secret,
    // messaging_profile_id; needed only for an alphanumeric sender or a number pool
    messageProfileId: optional(text),
    from: optional(text),
  },
})
