import { Type } from 'typebox'
import { messageLoader, messageSchema } from '../../core/replies/message-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf, pageOf, pageQuery } from '../../lib/schemas.ts'
import { channels } from '../../providers/provider.ts'
import { findEventKeys } from '../../store/history/events.ts'
import { inPortions } from '../../store/history/in-portions.ts'
import { listMessages } from '../../store/history/messages.ts'
import { findSubscriber } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/messages',
  summary: 'List messages, newest first',
  query: fields({
    channel: Type.Optional(oneOf(channels)),
    subscriberId: Type.Optional(Type.String()),
    transactionId: Type.Optional(Type.Array(Type.String())),
    contextKeys: Type.Optional(Type.Array(Type.String({ description: 'type:id' }))),
    ...pageQuery(1000),
  }),
  response: pageOf(messageSchema),
  async handler({ ctx, db, env, query }) {
    const { page = 0, limit = 10 } = query
    const subscriber = query.subscriberId === undefined ? null : await findSubscriber(db, env, query.subscriberId)
    const events = query.transactionId === undefined ? null : await findEventKeys(db, env, query.transactionId)
    const filter = {
      ...(query.channel !== undefined && { channel: query.channel }),
      ...(query.subscriberId !== undefined && { subscriberIds: subscriber ? [subscriber.id] : [] }),
      ...(events && { eventIds: events.map((event) => event.event_id) }),
      ...(query.contextKeys !== undefined && { contextKeys: [...new Set(query.contextKeys)].sort() }),
    }
    const { items, hasMore, totalCount } = await listMessages(db, env, filter, { page, limit })
    return { data: inPortions(items, messageLoader(ctx, env)), hasMore, pageSize: limit, page, totalCount }
  },
})
