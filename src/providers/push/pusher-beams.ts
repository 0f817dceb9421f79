import { defineProvider, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'pusher-beams',
  channel: 'push',
  displayName: 'Pusher Beams',
  credentials: {
    instanceId: text,
    secretKey: secret,
  },
})
