import { contextQuery } from '../../core/inbox/feed-filter.ts'
import { changeOne } from '../../core/inbox/feed-state.ts'
import { inboxSchema } from '../../core/replies/inbox-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/unread',
  summary: 'Mark an in-app notification as unread; it stays seen',
  query: contextQuery,
  response: inboxSchema,
  handler: ({ db, env, now, params, query }) => changeOne(db, env, { ...params, ...query }, { to: 'unread' }, now),
})
