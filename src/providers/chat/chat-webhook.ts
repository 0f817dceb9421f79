import { defineProvider, named, optional, secret } from '../provider.ts'
import { postWebhook } from '../shared/post-webhook.ts'
import { signingKeyHelp } from '../shared/standard-webhooks.ts'

export default defineProvider({
  id: 'chat-webhook',
  channel: 'chat',
  displayName: 'Chat Webhook',
  documentation: 'https://www.standardwebhooks.com',
  verified: 'our own',
  usesSubscriberWebhook: true,
  credentials: {
    secretKey: named(optional(secret), 'Signing key', signingKeyHelp),
  },
  idempotencyWindowMs: 24 * 3_600_000,

  async send({ credentials, message, http, now }) {
    const content = {
      content: message.content,
      channel: message.channel || undefined,
      phoneNumber: message.phone || undefined,
      subscriberId: message.subscriberId,
      tidings_message_id: message.id,
      ...message.overrides,
    }
    return postWebhook(http, {
      url: message.webhookUrl,
      id: message.id,
      secret: credentials.secretKey,
      content,
      now,
      goneIs: 'gone',
    })
  },
})
