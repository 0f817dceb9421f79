import { defineProvider, flag, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'apns',
  channel: 'push',
  displayName: 'APNs',
  credentials: {
    // the .p8 key
    secretKey: secret,
    // key id
    apiKey: secret,
    // team id
    projectName: text,
    // bundle id
    applicationId: text,
    // true is production, else the sandbox
    secure: flag,
  },
})
