import { Type } from 'typebox'
import { inFeed } from '../../core/inbox/feed-filter.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'
import { countFeed } from '../../store/history/feed-counts.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/subscribers/{subscriberId}/notifications/unread',
  summary: 'Count what is unread in the feed, up to the limit',
  query: fields({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Counting stops here.' }),
    ),
    read: Type.Optional(Type.Boolean({ default: false, description: 'True counts what is read.' })),
  }),
  response: Type.Object({ count: Type.Integer() }),
  async handler({ db, env, now, params, query }) {
    const { limit = 100, read = false } = query
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    const filters = [{ ...inFeed, read }]
    const [count = 0] = await countFeed(db, env, { subscriberId: subscriber.id, filters, now, limit })
    return { count }
  },
})
