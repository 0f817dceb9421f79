import { Type } from 'typebox'
import { subscriptionSchema, toSubscriptionJson } from '../../core/replies/subscription-json.ts'
import { topicName } from '../../core/replies/topic-json.ts'
import { subscribe } from '../../core/topics/own-subscriptions.ts'
import { subscriptionChange } from '../../core/topics/subscription-input.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'POST',
  path: '/v1/inbox/topics/{topicKey}/subscriptions',
  summary: 'Subscribe to a topic; a subscription that exists stays as it is',
  body: fields({
    identifier: Type.Optional(Type.String({ maxLength: 512, description: 'Empty: the default one.' })),
    topic: Type.Optional(fields({ name: Type.Optional(topicName) })),
    ...subscriptionChange,
  }),
  status: 201,
  response: Type.Object({ data: subscriptionSchema }),
  async handler({ ctx, db, env, now, params, body, person }) {
    const row = await subscribe({ ctx, db, env, now }, person, params.topicKey, body)
    return { data: await toSubscriptionJson(db, env, person.subscriber, row) }
  },
})
