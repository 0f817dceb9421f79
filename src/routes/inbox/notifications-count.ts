import { Type } from 'typebox'
import { readCountFilters } from '../../core/inbox/feed-filter.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields, freeObject } from '../../lib/schemas.ts'
import { countFeed } from '../../store/history/feed-counts.ts'

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/notifications/count',
  summary: 'Count notifications by up to 30 filters; each count stops at 50,000',
  query: fields({
    filters: Type.String({ description: 'A list of filters as JSON, such as [{"read":false},{"seen":false}].' }),
  }),
  response: Type.Object({ data: Type.Array(Type.Object({ count: Type.Integer(), filter: freeObject })) }),
  async handler({ db, env, now, query, person: { subscriber, contextKeys } }) {
    const asked = readCountFilters(query.filters)
    const filters = asked.map(({ filter }) => ({ ...filter, contextKeys }))
    const counts = await countFeed(db, env, { subscriberId: subscriber.id, filters, now })
    return { data: asked.map(({ asked: filter }, index) => ({ count: counts[index] ?? 0, filter })) }
  },
})
