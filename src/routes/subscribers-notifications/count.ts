import { Type } from 'typebox'
import { readCountFilters } from '../../core/inbox/feed-filter.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, freeObject } from '../../lib/schemas.ts'
import { countFeed } from '../../store/history/feed-counts.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/subscribers/{subscriberId}/notifications/count',
  summary: 'Count in-app notifications by up to 30 filters; each count stops at 50,000',
  query: fields({
    filters: Type.String({ description: 'A list of filters as JSON, such as [{"read":false},{"seen":false}].' }),
  }),
  response: Type.Array(Type.Object({ count: Type.Integer(), filter: freeObject })),
  async handler({ db, env, now, params, query }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    const asked = readCountFilters(query.filters)
    const filters = asked.map(({ filter }) => filter)
    const counts = await countFeed(db, env, { subscriberId: subscriber.id, filters, now })
    return asked.map(({ asked: filter }, index) => ({ count: counts[index] ?? 0, filter }))
  },
})
