import { defineProvider } from '../provider.ts'

/** For development: the message goes into the mailbox, where one can look at it, and nowhere else. */
export default defineProvider({
  id: 'platform-sms',
  channel: 'sms',
  displayName: 'Platform SMS',
  verified: 'our own',
  credentials: {},
  developmentOnly: true,

  async send({ message, mailbox }) {
    await mailbox({ id: message.id, channel: 'sms', to: message.to, content: message.content })
    return { kind: 'sent', id: message.id }
  },
})
