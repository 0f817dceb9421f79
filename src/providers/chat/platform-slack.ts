import { defineProvider } from '../provider.ts'
import { postToSlack } from './slack.ts'

/** The operator configures the Slack app; the integration holds nothing, and each subscriber has the hook it gave. */
export default defineProvider({
  id: 'platform-slack',
  channel: 'chat',
  displayName: 'Platform Slack',
  documentation: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  verified: 'documentation in part',
  credentials: {},
  send: postToSlack,
})
