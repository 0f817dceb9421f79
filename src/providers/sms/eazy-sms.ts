import { defineProvider, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'eazy-sms',
  channel: 'sms',
  displayName: 'Eazy',
  credentials: {
    apiKey: secret,
    channelId: text,
  },
})
