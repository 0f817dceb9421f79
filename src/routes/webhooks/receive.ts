import { Type } from 'typebox'
import { receiveCallbacks } from '../../core/feedback/receive-callbacks.ts'
import { defineOpenRoute, PlainReply } from '../../http/define-route.ts'

export default defineOpenRoute({
  method: 'POST',
  path: '/v1/webhooks/{integrationId}',
  summary: 'For providers: what became of messages, signed with the signing key of the integration',
  auth: 'signature',
  response: Type.Object({ received: Type.Integer() }),
  async handler({ ctx, params, request }) {
    const { received, reply } = await receiveCallbacks(ctx, params, request)
    return reply ? new PlainReply(reply.type, reply.body) : { received }
  },
})
