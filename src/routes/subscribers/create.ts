import { Type } from 'typebox'
import { subscriberSchema, toSubscriberJson } from '../../core/replies/subscriber-json.ts'
import { saveSubscribers } from '../../core/subscribers/save-subscribers.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { newSubscriberInput } from '../../lib/inputs.ts'
import { fields } from '../../lib/schemas.ts'
import { findSubscriber, insertSubscribers } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/subscribers',
  summary: 'Create a subscriber, or update the one with this subscriberId',
  query: fields({ failIfExists: Type.Optional(Type.Boolean()) }),
  body: newSubscriberInput,
  status: 201,
  response: subscriberSchema,
  async handler({ ctx, db, env, now, query, body }) {
    const patch = { ...body, subscriberId: body.subscriberId.trim() }
    if (query.failIfExists) {
      const [created] = await insertSubscribers(db, env, [patch], now)
      if (created) return toSubscriberJson(ctx, db, env, created)
      const row = await findSubscriber(db, env, patch.subscriberId)
      const existing = row ? await toSubscriberJson(ctx, db, env, row) : {}
      throw new ApiError('subscriber_exists', { existing })
    }
    const saved = (await saveSubscribers(db, env, [patch], now)).get(patch.subscriberId)
    if (!saved) throw new Error('a saved subscriber is in the answer')
    return toSubscriberJson(ctx, db, env, saved.row)
  },
})
