import { Type } from 'typebox'
import { subscriptionSchema, toSubscriptionJsons } from '../../core/replies/subscription-json.ts'
import { listSubscriptions } from '../../core/topics/own-subscriptions.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/topics/{topicKey}/subscriptions',
  summary: "List one's own subscriptions to a topic",
  response: Type.Object({ data: Type.Array(subscriptionSchema) }),
  async handler({ db, env, params, person }) {
    const rows = await listSubscriptions(db, env, person, params.topicKey)
    return { data: await toSubscriptionJsons(db, env, person.subscriber, rows) }
  },
})
