import { defineProvider } from '../provider.ts'

export default defineProvider({
  id: 'ryver',
  channel: 'chat',
  displayName: 'Ryver',
  usesSubscriberWebhook: true,
  credentials: {},
})
