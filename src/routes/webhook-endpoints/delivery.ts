import { toWebhookDeliveryJson, webhookDeliverySchema } from '../../core/replies/webhook-json.ts'
import { getDelivery } from '../../core/webhooks/replay.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpointId}/deliveries/{eventId}',
  summary: 'Get one event for a webhook endpoint, with the tries and their replies',
  response: webhookDeliverySchema,
  handler: async ({ db, env, params }) =>
    toWebhookDeliveryJson(await getDelivery(db, env, params.endpointId, params.eventId)),
})
