import { contextQuery } from '../../core/inbox/feed-filter.ts'
import { changeOne } from '../../core/inbox/feed-state.ts'
import { inboxSchema } from '../../core/replies/inbox-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/read',
  summary: 'Mark an in-app notification as read, and so as seen',
  query: contextQuery,
  response: inboxSchema,
  handler: ({ db, env, now, params, query }) => changeOne(db, env, { ...params, ...query }, { to: 'read' }, now),
})
