import { defineProvider, host, optional, port, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'kannel',
  channel: 'sms',
  displayName: 'Kannel SMS',
  credentials: {
    host: host,
    port: port,
    // self-hosted: a gateway may sit behind its own access control
    user: optional(text),
    password: optional(secret),
    from: optional(text),
  },
})
