import { Type } from 'typebox'
import { inboxQuery, inFeed, toFeedFilter } from '../../core/inbox/feed-filter.ts'
import { inboxSchema, toInboxJsons } from '../../core/replies/inbox-json.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, freeObject, limitQuery } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { sliceFeed } from '../../store/history/feed.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/subscribers/{subscriberId}/notifications',
  summary: "List a subscriber's in-app notifications, newest first",
  query: fields({
    limit: limitQuery(100),
    after: Type.Optional(Type.String({ description: 'The id of the last notification of the page before.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    ...inboxQuery,
  }),
  response: Type.Object({ data: Type.Array(inboxSchema), hasMore: Type.Boolean(), filter: freeObject }),
  async handler({ db, env, now, params, query }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    const { limit = 10, after, offset = 0, ...asked } = query
    if (after !== undefined && !isUuid7(after)) throw new ApiError('invalid_cursor')
    const filter = { ...inFeed, ...toFeedFilter(asked) }
    const rows = await sliceFeed(db, env, { subscriberId: subscriber.id, filter, after, offset, limit, now })
    const data = await toInboxJsons(db, env, subscriber, rows.slice(0, limit), now)
    return { data, hasMore: rows.length > limit, filter: asked }
  },
})
