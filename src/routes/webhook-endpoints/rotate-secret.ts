import { Type } from 'typebox'
import { toWebhookEndpointJson, webhookEndpointWithSecretSchema } from '../../core/replies/webhook-json.ts'
import { rotateSecret } from '../../core/webhooks/save-endpoint.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpointId}/rotate-secret',
  summary: 'Give a webhook endpoint a new signing secret; for a while the old one signs beside it',
  body: fields({
    overlapHours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 168, default: 24, description: 'How long both sign.' }),
    ),
  }),
  response: webhookEndpointWithSecretSchema,
  async handler({ ctx, db, env, now, params, body }) {
    const { row, secret } = await rotateSecret({ ctx, db, env, now }, params.endpointId, body.overlapHours ?? 24)
    return { ...toWebhookEndpointJson(row), secret }
  },
})
