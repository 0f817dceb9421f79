import { contextQuery } from '../../core/inbox/feed-filter.ts'
import { answerAction, getSubscriber, showOne } from '../../core/inbox/feed-state.ts'
import { inboxSchema } from '../../core/replies/inbox-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/complete',
  summary: 'Note that a button (`primary` or `secondary`) was pressed; the notification is then read',
  query: contextQuery,
  response: inboxSchema,
  async handler({ db, env, now, params, query }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    const named = { ...params, ...query }
    await answerAction(db, env, subscriber, named, { button: params.type, status: 'done' }, now)
    return showOne(db, env, subscriber, named, now)
  },
})
