import { Type } from 'typebox'
import { getSubscription, unsubscribe } from '../../core/topics/own-subscriptions.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'

export default defineInboxRoute({
  method: 'DELETE',
  path: '/v1/inbox/topics/{topicKey}/subscriptions/{identifier}',
  summary: "End one's own subscription to a topic",
  response: Type.Object({ data: Type.Object({ success: Type.Boolean() }) }),
  async handler({ db, env, now, params, person }) {
    const found = await getSubscription(db, env, person, params.topicKey, params.identifier)
    await unsubscribe(db, env, person, found, now)
    return { data: { success: true } }
  },
})
