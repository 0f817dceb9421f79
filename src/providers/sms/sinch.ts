import { choice, defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'sinch',
  channel: 'sms',
  displayName: 'Sinch',
  credentials: {
    // servicePlanId
    accountSid: text,
    apiToken: secret,
    // a service plan lives in one region
    region: choice('us', 'eu', 'au', 'br', 'ca'),
    from: optional(text),
  },
})
