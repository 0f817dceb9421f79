import { toWebhookEndpointJson, webhookEndpointSchema } from '../../core/replies/webhook-json.ts'
import { changeEndpoint, endpointPatch } from '../../core/webhooks/save-endpoint.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/webhook-endpoints/{endpointId}',
  summary: 'Change a webhook endpoint, disable it, or enable it again',
  body: endpointPatch,
  response: webhookEndpointSchema,
  handler: async ({ ctx, db, env, now, params, body }) =>
    toWebhookEndpointJson(await changeEndpoint({ ctx, db, env, now }, params.endpointId, body)),
})
