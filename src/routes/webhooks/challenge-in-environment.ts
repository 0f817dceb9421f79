import { Type } from 'typebox'
import { answerGet } from '../../core/feedback/receive-callbacks.ts'
import { defineOpenRoute, PlainReply } from '../../http/define-route.ts'

export default defineOpenRoute({
  method: 'GET',
  path: '/v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}',
  summary: 'The same as GET /v1/webhooks/{integrationId}',
  auth: 'signature',
  response: Type.Object({ received: Type.Integer() }),
  async handler({ ctx, params, request }) {
    const { received, reply } = await answerGet(ctx, params, request)
    return reply ? new PlainReply(reply.type, reply.body) : { received }
  },
})
