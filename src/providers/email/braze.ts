import { defineProvider, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'braze',
  channel: 'email',
  displayName: 'Braze',
  credentials: {
    apiKey: secret,
    // apiURL: the REST endpoint of the instance
    baseUrl: url,
    // appID
    applicationId: text,
    from: optional(text),
    senderName: optional(text),
  },
})
