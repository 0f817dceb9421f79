import { contextQuery } from '../../core/inbox/feed-filter.ts'
import { deleteOne } from '../../core/inbox/feed-state.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}',
  summary: 'Delete an in-app notification for good',
  query: contextQuery,
  status: 204,
  handler: ({ db, env, now, params, query }) => deleteOne(db, env, { ...params, ...query }, now),
})
