import { Type } from 'typebox'
import { subscriptionPreferenceSchema, toSubscriptionJson } from '../../core/replies/subscription-json.ts'
import { getSubscriptionOfTopic } from '../../core/topics/subscriptions-of-topic.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/topics/{topicKey}/subscriptions/{identifier}',
  summary: 'Retrieve one subscription of a topic by its identifier or id',
  response: Type.Object({
    id: Type.String(),
    identifier: Type.String(),
    name: Type.Optional(Type.String()),
    contextKeys: Type.Array(Type.String()),
    preferences: Type.Array(subscriptionPreferenceSchema),
  }),
  async handler({ db, env, params }) {
    const { subscriber, row } = await getSubscriptionOfTopic(db, env, params.topicKey, params.identifier)
    const { id, identifier, name, contextKeys, preferences } = await toSubscriptionJson(db, env, subscriber, row)
    return { id, identifier, contextKeys, preferences, ...(name !== undefined && { name }) }
  },
})
