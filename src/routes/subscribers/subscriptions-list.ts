import { Type } from 'typebox'
import { topicSubscriptionSchema, toTopicSubscriptionJson } from '../../core/replies/topic-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { findSubscriber } from '../../store/subscribers.ts'
import { listTopicSubscriptions } from '../../store/topic-subscriptions.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/subscribers/{subscriberId}/subscriptions',
  summary: 'List the topics a subscriber is subscribed to',
  query: fields({
    ...cursorQuery(['_id', 'createdAt']),
    key: Type.Optional(Type.String({ description: 'Only the topic with this key.' })),
  }),
  response: cursorPageOf(topicSubscriptionSchema),
  async handler({ ctx, db, env, params, query }) {
    const subscriber = await findSubscriber(db, env, params.subscriberId)
    if (!subscriber) throw new ApiError('subscriber_not_found')
    const filter = query.key === undefined ? {} : { key: query.key }
    return cursorList(
      { ctx, env, query },
      {
        name: `subscriber ${subscriber.id}`,
        filter,
        load: (page) => listTopicSubscriptions(db, env, { subscriberId: subscriber.id }, filter, page),
        toJson: (rows) => rows.map(toTopicSubscriptionJson),
      },
    )
  },
})
