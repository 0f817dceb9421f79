import { Type } from 'typebox'
import { subscriberSchema, toSubscriberJson } from '../../core/subscriber-json.ts'
import { topicSubscriptionSchema, toTopicSubscriptionJson } from '../../core/topic-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { findSubscriber } from '../../store/subscribers.ts'
import { listAllMemberships } from '../../store/topic-subscriptions.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/subscribers/{subscriberId}/export',
  summary: 'Everything this service holds about one subscriber',
  response: Type.Object({
    exportedAt: Type.String({ format: 'date-time' }),
    subscriber: subscriberSchema,
    topicSubscriptions: Type.Array(topicSubscriptionSchema),
  }),
  async handler({ ctx, db, env, now, params }) {
    const row = await findSubscriber(db, env, params.subscriberId)
    if (!row) throw new ApiError('subscriber_not_found')
    const memberships = await listAllMemberships(db, env, row.id)
    return {
      exportedAt: now.toISOString(),
      subscriber: await toSubscriberJson(ctx, db, env, row),
      topicSubscriptions: memberships.map(toTopicSubscriptionJson),
    }
  },
})
