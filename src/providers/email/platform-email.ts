import { defineProvider } from '../provider.ts'

/** Sends nothing: a developer reads the mail in the mailbox of this service. */
export default defineProvider({
  id: 'platform-email',
  channel: 'email',
  displayName: 'Platform Email',
  verified: 'our own',
  credentials: {},
  defaultFrom: 'no-reply@tidings.invalid',
  developmentOnly: true,

  async send({ message, mailbox }) {
    await mailbox({
      id: message.id,
      channel: 'email',
      to: [...message.to, ...message.cc, ...message.bcc].join(', '),
      subject: message.subject,
      content: message.html || message.text,
    })
    return { kind: 'sent', id: message.id }
  },
})
