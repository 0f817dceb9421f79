import { toWebhookDeliveryJson, webhookDeliverySchema } from '../../core/replies/webhook-json.ts'
import { sendTest } from '../../core/webhooks/replay.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpointId}/test',
  summary: 'Send a webhook endpoint an event of type endpoint.test',
  status: 201,
  response: webhookDeliverySchema,
  handler: async ({ db, env, now, params }) => toWebhookDeliveryJson(await sendTest(db, env, params.endpointId, now)),
})
