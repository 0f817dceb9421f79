import { defineInbox, flag, named } from '../provider.ts'

export default defineInbox({
  id: 'platform',
  channel: 'in_app',
  displayName: 'Platform Inbox',
  verified: 'our own',
  credentials: {
    hmac: named(flag, 'Demand a subscriber hash', 'The inbox then demands one of every subscriber.'),
  },
})
