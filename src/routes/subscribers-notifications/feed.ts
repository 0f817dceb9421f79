import { Type } from 'typebox'
import { feedItemSchema, toFeedItemJsons } from '../../core/replies/feed-json.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { fields, pageOf, pageQuery } from '../../lib/schemas.ts'
import { listFeed } from '../../store/history/feed.ts'
import { inPortions } from '../../store/history/in-portions.ts'
import { listMessagesById } from '../../store/history/messages.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/subscribers/{subscriberId}/notifications/feed',
  summary: "Retrieve a subscriber's in-app feed, newest first",
  query: fields({
    ...pageQuery(100),
    read: Type.Optional(Type.Boolean()),
    seen: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean({ default: false })),
    snoozed: Type.Optional(Type.Boolean({ default: false })),
    payload: Type.Optional(Type.String({ description: 'Base64 of a partial payload, as JSON.' })),
  }),
  response: pageOf(feedItemSchema),
  async handler({ ctx, db, env, now, params, query }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    const { page = 0, limit = 10, archived = false, snoozed = false } = query
    const filter = {
      archived,
      snoozed,
      ...(query.read !== undefined && { read: query.read }),
      ...(query.seen !== undefined && { seen: query.seen }),
      ...(query.payload !== undefined && { payload: readPayload(query.payload) }),
    }
    const feed = { subscriberId: subscriber.id, filter, page: { page, limit }, now }
    const { items, hasMore, totalCount } = await listFeed(db, env, feed)
    const load = (ids: string[]) =>
      ctx.database.read(env, async (db) => toFeedItemJsons(db, env, await listMessagesById(db, env, ids), subscriber))
    const data = inPortions(items, load)
    return { data, hasMore, pageSize: limit, page, totalCount }
  },
})

function readPayload(base64: string): Record<string, unknown> {
  const refusal = new ApiError('malformed_request', { message: 'payload must be the base64 of a JSON object.' })
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) throw refusal
  try {
    const payload: unknown = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
    if (!isPlainObject(payload) || findRefusedContent(payload)) throw refusal
    return payload
  } catch {
    throw refusal
  }
}
