import { defineProvider, flag, host, optional, port, secret, text } from '../provider.ts'

export default defineProvider({
  id: 'emailjs',
  channel: 'email',
  displayName: 'EmailJS (SMTP client)',
  credentials: {
    host: host,
    port: port,
    user: text,
    password: secret,
    secure: flag,
    from: optional(text),
    senderName: optional(text),
  },
})
