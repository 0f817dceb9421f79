import { defineProvider, optional, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'azure-sms',
  channel: 'sms',
  displayName: 'Azure Sms',
  credentials: {
    // the whole connection string: endpoint and key
    accessKey: secret,
    from: optional(text),
  },
})
