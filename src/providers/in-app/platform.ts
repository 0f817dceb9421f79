import { defineProvider, flag } from '../provider.ts'

export default defineProvider({
  id: 'platform',
  channel: 'in_app',
  displayName: 'Platform Inbox',
  credentials: {
    // the inbox then demands a subscriber hash
    hmac: flag,
  },
})
