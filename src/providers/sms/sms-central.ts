import { defineProvider, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'sms-central',
  channel: 'sms',
  displayName: 'SMS Central',
  credentials: {
    user: text,
    password: secret,
    // https://my.smscentral.com.au/api/v3.2 unless given
    baseUrl: optional(url),
    from: optional(text),
  },
})
