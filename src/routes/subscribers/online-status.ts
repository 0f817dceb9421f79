import { Type } from 'typebox'
import { subscriberSchema, toSubscriberJson } from '../../core/replies/subscriber-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'
import { findSubscriber, setSubscriberOnline } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/subscribers/{subscriberId}/online-status',
  summary: 'Say whether a subscriber is online',
  body: fields({ isOnline: Type.Boolean() }),
  response: subscriberSchema,
  async handler({ ctx, db, env, now, params, body }) {
    const changed = await setSubscriberOnline(db, env, params.subscriberId, { isOnline: body.isOnline, now })
    const row = changed ?? (await findSubscriber(db, env, params.subscriberId))
    if (!row) throw new ApiError('subscriber_not_found')
    return toSubscriberJson(ctx, db, env, row)
  },
})
