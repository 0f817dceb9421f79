import { Type } from 'typebox'
import { subscriptionPreferenceSchema, toSubscriptionJson } from '../../core/replies/subscription-json.ts'
import { topicSubscriptionSchema, toTopicSubscriptionJson } from '../../core/replies/topic-json.ts'
import { updateSubscription } from '../../core/topics/own-subscriptions.ts'
import { subscriptionChange } from '../../core/topics/subscription-input.ts'
import { getSubscriptionOfTopic } from '../../core/topics/subscriptions-of-topic.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/topics/{topicKey}/subscriptions/{identifier}',
  summary: 'Change the name or the preferences of a subscription to a topic, named by its identifier or id',
  body: fields(subscriptionChange),
  response: Type.Object(
    {
      ...topicSubscriptionSchema.properties,
      name: Type.Optional(Type.String()),
      contextKeys: Type.Array(Type.String()),
      preferences: Type.Array(subscriptionPreferenceSchema),
    },
    { title: 'ChangedTopicSubscription' },
  ),
  async handler({ db, env, now, params, body }) {
    const { member, subscriber, row } = await getSubscriptionOfTopic(db, env, params.topicKey, params.identifier)
    const changed = await updateSubscription(db, env, row, body, now)
    const { id, topicKey: _, ...shown } = await toSubscriptionJson(db, env, subscriber, changed)
    return { ...toTopicSubscriptionJson(member), ...shown, _id: id }
  },
})
