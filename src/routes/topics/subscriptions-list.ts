import { Type } from 'typebox'
import { topicSubscriptionSchema, toTopicSubscriptionJson } from '../../core/replies/topic-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { listTopicSubscriptions } from '../../store/topic-subscriptions.ts'
import { findTopic } from '../../store/topics.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/topics/{topicKey}/subscriptions',
  summary: 'List the subscriptions of a topic',
  query: fields({
    ...cursorQuery(['_id', 'createdAt']),
    subscriberId: Type.Optional(Type.String({ description: 'Only this subscriber.' })),
  }),
  response: cursorPageOf(topicSubscriptionSchema),
  async handler({ ctx, db, env, params, query }) {
    const topic = await findTopic(db, env, params.topicKey)
    if (!topic) throw new ApiError('topic_not_found')
    const filter = query.subscriberId === undefined ? {} : { subscriberId: query.subscriberId }
    return cursorList(
      { ctx, env, query },
      {
        name: `topic ${topic.id}`,
        filter,
        load: (page) => listTopicSubscriptions(db, env, { topicId: topic.id }, filter, page),
        toJson: (rows) => rows.map(toTopicSubscriptionJson),
      },
    )
  },
})
