import { toWebhookEndpointJson, webhookEndpointWithSecretSchema } from '../../core/replies/webhook-json.ts'
import { createEndpoint, newEndpoint } from '../../core/webhooks/save-endpoint.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/webhook-endpoints',
  summary: 'Add a server of yours that is told what happens; the reply shows its signing secret, once',
  body: newEndpoint,
  status: 201,
  response: webhookEndpointWithSecretSchema,
  async handler({ ctx, db, env, now, body }) {
    const { row, secret } = await createEndpoint({ ctx, db, env, now }, body)
    return { ...toWebhookEndpointJson(row), secret }
  },
})
