import { Type } from 'typebox'
import { cancelEvent } from '../../core/pipeline/cancel-event.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/events/trigger/{transactionId}',
  summary: 'Cancel a triggered event: whoever was not reached is not, and waiting steps do not run',
  response: Type.Object({
    acknowledged: Type.Boolean(),
    canceled: Type.Integer({
      description: 'Jobs stopped: steps that waited, and one more when not all recipients had been reached yet.',
    }),
  }),
  handler: async ({ ctx, db, env, now, params }) => ({
    acknowledged: true,
    canceled: await cancelEvent(ctx, db, env, params.transactionId, now),
  }),
})
