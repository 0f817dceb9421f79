import { defineInbox, flag } from '../provider.ts'

export default defineInbox({
  id: 'platform',
  channel: 'in_app',
  displayName: 'Platform Inbox',
  verified: 'our own',
  credentials: {
    // the inbox then demands a subscriber hash
    hmac: flag,
  },
})
