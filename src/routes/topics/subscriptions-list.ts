import { Type } from 'typebox'
import { loadSubscriptionsOf, subscriptionSchema } from '../../core/replies/subscription-json.ts'
import { topicSubscriptionSchema, toTopicSubscriptionJson } from '../../core/replies/topic-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { listTopicSubscriptions } from '../../store/topic-subscriptions.ts'
import { findTopic } from '../../store/topics.ts'

const memberSchema = Type.Object(
  {
    ...topicSubscriptionSchema.properties,
    subscriptions: Type.Array(subscriptionSchema, {
      description: 'Every subscription of this member to the topic: names, contexts and choices.',
    }),
  },
  { title: 'TopicMember' },
)

export default defineRoute({
  method: 'GET',
  path: '/v2/topics/{topicKey}/subscriptions',
  summary: 'List the members of a topic, each with every subscription that they have to it',
  query: fields({
    ...cursorQuery(['_id', 'createdAt']),
    subscriberId: Type.Optional(Type.String({ description: 'Only this subscriber.' })),
  }),
  response: cursorPageOf(memberSchema),
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
        async toJson(rows) {
          const members = rows.map((row) => ({ id: row.subscriber_id, subscriber_id: row.external_id }))
          const subscriptions = await loadSubscriptionsOf(db, env, topic.id, members)
          return rows.map((row) => ({
            ...toTopicSubscriptionJson(row),
            subscriptions: subscriptions.get(row.subscriber_id) ?? [],
          }))
        },
      },
    )
  },
})
