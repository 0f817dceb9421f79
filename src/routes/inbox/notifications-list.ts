import { Type } from 'typebox'
import { inboxQuery, inFeed, readTagGroups, toFeedFilter } from '../../core/inbox/feed-filter.ts'
import { inboxSchema, toInboxJsons } from '../../core/replies/inbox-json.ts'
import { ApiError } from '../../errors.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields, freeObject, limitQuery } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { sliceFeed } from '../../store/history/feed.ts'

const { contextKeys: _, ...filters } = inboxQuery

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/notifications',
  summary: 'List notifications, newest first',
  query: fields({
    limit: limitQuery(100),
    after: Type.Optional(Type.String({ description: 'The id of the last notification of the page before.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    ...filters,
    tagGroups: Type.Optional(
      Type.Array(Type.String(), { maxItems: 30, description: 'One of each group: tags[0][]=a&tags[1][]=b.' }),
    ),
  }),
  response: Type.Object({ data: Type.Array(inboxSchema), hasMore: Type.Boolean(), filter: freeObject }),
  async handler({ db, env, now, query, person: { subscriber, contextKeys } }) {
    const { limit = 10, after, offset = 0, tagGroups, ...asked } = query
    if (after !== undefined && !isUuid7(after)) throw new ApiError('invalid_cursor')
    const tags = tagGroups ? readTagGroups(tagGroups) : asked.tags
    const filter = { ...inFeed, ...toFeedFilter({ ...asked, ...(tags && { tags }) }), contextKeys }
    const rows = await sliceFeed(db, env, { subscriberId: subscriber.id, filter, after, offset, limit, now })
    const data = await toInboxJsons(db, env, subscriber, rows.slice(0, limit), now)
    return { data, hasMore: rows.length > limit, filter: { ...asked, ...(tags && { tags }) } }
  },
})
