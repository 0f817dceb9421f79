import { toWebhookDeliveryJson, webhookDeliverySchema } from '../../core/replies/webhook-json.ts'
import { replayOne } from '../../core/webhooks/replay.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpointId}/deliveries/{eventId}/replay',
  summary: 'Send one event to a webhook endpoint again, by the same webhook-id',
  response: webhookDeliverySchema,
  handler: async ({ db, env, now, params }) =>
    toWebhookDeliveryJson(await replayOne(db, env, params.endpointId, params.eventId, now)),
})
