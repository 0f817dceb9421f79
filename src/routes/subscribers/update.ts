import { subscriberSchema, toSubscriberJson } from '../../core/replies/subscriber-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { profileProperties } from '../../lib/inputs.ts'
import { fields } from '../../lib/schemas.ts'
import { findSubscriber, updateSubscribers } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/subscribers/{subscriberId}',
  summary: 'Update a subscriber: fields left out stay, null clears',
  body: fields(profileProperties),
  response: subscriberSchema,
  async handler({ ctx, db, env, now, params, body }) {
    const { subscriberId } = params
    const [changed] = await updateSubscribers(db, env, [{ ...body, subscriberId }], now)
    const row = changed ?? (await findSubscriber(db, env, subscriberId))
    if (!row) throw new ApiError('subscriber_not_found')
    return toSubscriberJson(ctx, db, env, row)
  },
})
