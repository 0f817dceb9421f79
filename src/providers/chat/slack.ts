import { defineProvider, flag, optional, secret, text, url } from '../provider.ts'

/** Incoming webhooks need none of these; they serve the OAuth set-up of an app. */
export default defineProvider({
  id: 'slack',
  channel: 'chat',
  displayName: 'Slack',
  usesSubscriberWebhook: true,
  credentials: {
    applicationId: optional(text),
    clientId: optional(text),
    // client secret
    secretKey: optional(secret),
    redirectUrl: optional(url),
    hmac: flag,
  },
})
