import { bulkInput, toFeedFilter } from '../../core/inbox/feed-filter.ts'
import { getSubscriber } from '../../core/inbox/feed-state.ts'
import { defineRoute } from '../../http/define-route.ts'
import { deleteFeed } from '../../store/history/feed.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/subscribers/{subscriberId}/notifications/delete',
  summary: 'Delete all in-app notifications, archived and snoozed ones too, or what the filter finds, for good',
  body: bulkInput,
  status: 204,
  async handler({ db, env, now, params, body }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    await deleteFeed(db, env, subscriber.id, toFeedFilter(body), now)
  },
})
