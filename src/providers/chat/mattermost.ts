import { defineProvider } from '../provider.ts'

export default defineProvider({
  id: 'mattermost',
  channel: 'chat',
  displayName: 'Mattermost',
  usesSubscriberWebhook: true,
  credentials: {},
})
