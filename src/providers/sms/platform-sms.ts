import { defineProvider } from '../provider.ts'

/** The operator configures the sending account; the integration holds nothing. */
export default defineProvider({
  id: 'platform-sms',
  channel: 'sms',
  displayName: 'Platform SMS',
  credentials: {},
})
