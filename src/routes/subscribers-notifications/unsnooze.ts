import { contextQuery } from '../../core/inbox/feed-filter.ts'
import { changeOne } from '../../core/inbox/feed-state.ts'
import { inboxSchema } from '../../core/replies/inbox-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/unsnooze',
  summary: 'End the snooze of an in-app notification: it is delivered again',
  query: contextQuery,
  response: inboxSchema,
  handler: ({ db, env, now, params, query }) => changeOne(db, env, { ...params, ...query }, { to: 'unsnoozed' }, now),
})
