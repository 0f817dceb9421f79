import { defineProvider, named, secret, secretUrl } from '../provider.ts'
import { postWebhook } from '../shared/post-webhook.ts'
import { signingKeyHelp } from '../shared/standard-webhooks.ts'

export default defineProvider({
  id: 'push-webhook',
  channel: 'push',
  displayName: 'Push Webhook',
  documentation: 'https://www.standardwebhooks.com',
  verified: 'our own',
  credentials: {
    webhookUrl: named(secretUrl, 'Webhook URL', 'Each message is posted to it as JSON.'),
    secretKey: named(secret, 'Signing key', signingKeyHelp),
  },
  idempotencyWindowMs: 24 * 3_600_000,
  // All of a person's devices in one call: what is taken is taken whole, under the message's own id.
  tokensPerCall: 500,

  async send({ credentials, message, http, now }) {
    const content = {
      target: message.tokens,
      title: message.title,
      content: message.body,
      payload: message.payload,
      data: message.data,
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
