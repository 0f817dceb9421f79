import { defineProvider, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'rocket-chat',
  channel: 'chat',
  displayName: 'Rocket.Chat',
  credentials: {
    // X-User-Id
    user: text,
    // X-Auth-Token
    token: secret,
    // the workspace; unless given, the origin of the subscriber's webhookUrl
    baseUrl: optional(url),
  },
})
