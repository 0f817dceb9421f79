import { Type } from 'typebox'
import { subscriptionSchema, toSubscriptionJson } from '../../core/replies/subscription-json.ts'
import { findSubscription } from '../../core/topics/own-subscriptions.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields } from '../../lib/schemas.ts'

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100, description }))

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/topics/{topicKey}/subscriptions/{identifier}',
  summary: "Retrieve one's own subscription to a topic by its identifier or id; 204 if there is none",
  query: fields({
    workflowIds: names('Only these workflows, also if nothing was chosen for them.'),
    tags: names('Also every workflow with one of these tags.'),
  }),
  response: Type.Object({ data: subscriptionSchema }),
  async handler({ db, env, params, query, person }) {
    const row = await findSubscription(db, env, person, params.topicKey, params.identifier)
    return row && { data: await toSubscriptionJson(db, env, person.subscriber, row, query) }
  },
})
