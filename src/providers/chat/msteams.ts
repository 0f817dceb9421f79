import { defineProvider, optional, secret, text, url } from '../provider.ts'

/** Incoming webhooks need none of these; they serve the set-up of a bot. */
export default defineProvider({
  id: 'msteams',
  channel: 'chat',
  displayName: 'MSTeams',
  usesSubscriberWebhook: true,
  credentials: {
    clientId: optional(text),
    // client secret
    secretKey: optional(secret),
    redirectUrl: optional(url),
  },
})
