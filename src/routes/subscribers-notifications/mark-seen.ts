import { bulkSeenInput, inFeed, toFeedFilter } from '../../core/inbox/feed-filter.ts'
import { changeMany } from '../../core/inbox/feed-state.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isUuid7 } from '../../lib/uuid7.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/subscribers/{subscriberId}/notifications/seen',
  summary: 'Mark the named in-app notifications as seen, or else what the filter finds in the feed',
  body: bulkSeenInput,
  status: 204,
  async handler({ db, env, now, params, body }) {
    const { notificationIds, ...limits } = body
    const ids = notificationIds?.filter(isUuid7)
    const filter = { ...toFeedFilter(limits), ...(ids ? { ids } : inFeed) }
    await changeMany(db, env, params.subscriberId, filter, { to: 'seen' }, now)
  },
})
