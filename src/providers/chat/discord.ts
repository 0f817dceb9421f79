import { defineProvider } from '../provider.ts'

export default defineProvider({
  id: 'discord',
  channel: 'chat',
  displayName: 'Discord',
  usesSubscriberWebhook: true,
  credentials: {},
})
