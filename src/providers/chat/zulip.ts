import { defineProvider } from '../provider.ts'

export default defineProvider({
  id: 'zulip',
  channel: 'chat',
  displayName: 'Zulip',
  usesSubscriberWebhook: true,
  credentials: {},
})
