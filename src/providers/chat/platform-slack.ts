import { defineProvider } from '../provider.ts'

/** The operator configures the Slack app; the integration holds nothing. */
export default defineProvider({
  id: 'platform-slack',
  channel: 'chat',
  displayName: 'Platform Slack',
  credentials: {},
})
