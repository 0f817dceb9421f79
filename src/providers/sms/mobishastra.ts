import { defineProvider, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'mobishastra',
  channel: 'sms',
  displayName: 'Mobishastra',
  credentials: {
    // profile id
    user: text,
    password: secret,
    // https://mshastra.com/sendsms_api_json.aspx unless given
    baseUrl: optional(url),
    from: optional(text),
  },
})
