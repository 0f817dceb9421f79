import { subscriberSchema, toSubscriberJson } from '../../core/replies/subscriber-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { findSubscriber } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/subscribers/{subscriberId}',
  summary: 'Retrieve a subscriber',
  response: subscriberSchema,
  async handler({ ctx, db, env, params }) {
    const row = await findSubscriber(db, env, params.subscriberId)
    if (!row) throw new ApiError('subscriber_not_found')
    return toSubscriberJson(ctx, db, env, row)
  },
})
