import { Type } from 'typebox'
import { inFeed } from '../../core/inbox/feed-filter.ts'
import { changeMany } from '../../core/inbox/feed-state.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

const feedIdentifiers = Type.Unsafe<string | string[]>({
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  description: 'Messages are in no named feed here: naming one marks none.',
})

export default defineRoute({
  method: 'POST',
  path: '/v1/subscribers/{subscriberId}/messages/mark-all',
  summary: 'Mark everything in the feed as seen, unseen, read or unread',
  body: fields({
    markAs: oneOf(['read', 'seen', 'unread', 'unseen']),
    feedIdentifier: Type.Optional(feedIdentifiers),
  }),
  status: 201,
  response: Type.Integer({ description: 'How many were not so before.' }),
  async handler({ ctx, db, env, now, params, body }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    const isNamed = body.feedIdentifier !== undefined && body.feedIdentifier.length > 0
    const filter = { ...inFeed, ...(isNamed && { ids: [] }) }
    return changeMany(ctx, db, env, { subscriberId: subscriber.id, filter, change: { to: body.markAs }, now })
  },
})
