import { toWebhookEndpointJson, webhookEndpointSchema } from '../../core/replies/webhook-json.ts'
import { getEndpoint } from '../../core/webhooks/save-endpoint.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpointId}',
  summary: 'Get a webhook endpoint',
  response: webhookEndpointSchema,
  handler: async ({ db, env, params }) => toWebhookEndpointJson(await getEndpoint(db, env, params.endpointId)),
})
