import { bulkInput, inFeed, toFeedFilter } from '../../core/inbox/feed-filter.ts'
import { changeMany } from '../../core/inbox/feed-state.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/subscribers/{subscriberId}/notifications/archive',
  summary: 'Archive everything in the feed, or what the filter finds of it',
  body: bulkInput,
  status: 204,
  async handler({ db, env, now, params, body }) {
    const filter = { ...toFeedFilter(body), ...inFeed }
    await changeMany(db, env, params.subscriberId, filter, { to: 'archived' }, now)
  },
})
