import { defineProvider } from '../provider.ts'

/** The operator configures the sending account; the integration holds nothing. */
export default defineProvider({
  id: 'platform-email',
  channel: 'email',
  displayName: 'Platform Email',
  credentials: {},
})
