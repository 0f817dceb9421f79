import { defineProvider, named, optional, secret, secretUrl, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { postWebhook } from '../shared/post-webhook.ts'
import { signingKeyHelp } from '../shared/standard-webhooks.ts'

export default defineProvider({
  id: 'email-webhook',
  channel: 'email',
  displayName: 'Email Webhook',
  documentation: 'https://www.standardwebhooks.com',
  verified: 'our own',
  credentials: {
    webhookUrl: named(secretUrl, 'Webhook URL', 'Of your own server: every mail is posted to it as JSON.'),
    secretKey: named(secret, 'Signing key', signingKeyHelp),
    from: optional(text),
    senderName: optional(text),
  },
  idempotencyWindowMs: 24 * 3_600_000,

  async send({ credentials, message, http, now }) {
    const content = {
      from: message.from,
      to: message.to,
      cc: message.cc,
      bcc: message.bcc,
      replyTo: message.replyTo,
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: message.headers,
      attachments: message.attachments.map(({ name, mime, content }) => ({ name, mime, content: base64(content) })),
      subscriberId: message.subscriberId,
      tidings_message_id: message.id,
      ...message.overrides,
    }
    return postWebhook(http, {
      url: credentials.webhookUrl,
      id: message.id,
      secret: credentials.secretKey,
      content,
      now,
      goneIs: 'integration',
    })
  },
})
