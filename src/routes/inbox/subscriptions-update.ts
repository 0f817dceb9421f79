import { Type } from 'typebox'
import { subscriptionSchema, toSubscriptionJson } from '../../core/replies/subscription-json.ts'
import { getSubscription, updateSubscription } from '../../core/topics/own-subscriptions.ts'
import { subscriptionChange } from '../../core/topics/subscription-input.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'PATCH',
  path: '/v1/inbox/topics/{topicKey}/subscriptions/{identifier}',
  summary: "Change the name or the preferences of one's own subscription to a topic",
  body: fields(subscriptionChange),
  response: Type.Object({ data: subscriptionSchema }),
  async handler({ db, env, now, params, body, person }) {
    const found = await getSubscription(db, env, person, params.topicKey, params.identifier)
    const row = await updateSubscription(db, env, found, body, now)
    return { data: await toSubscriptionJson(db, env, person.subscriber, row) }
  },
})
