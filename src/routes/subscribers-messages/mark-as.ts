import { Type } from 'typebox'
import { type MessageJson, messageSchema, toMessageJsons } from '../../core/replies/message-json.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { defineRoute } from '../../http/define-route.ts'
import { hasMoreText } from '../../lib/canonical-json.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { changeFeed, listFeed } from '../../store/history/feed.ts'
import { inPortions } from '../../store/history/in-portions.ts'
import { listMessagesById } from '../../store/history/messages.ts'

// The reply is a list of messages, which shows at most this many.
const maxIds = 1000
// A reply that is kept under an idempotency key cannot leave while it is written.
const maxFullChars = 4 * 1024 * 1024
const messageIds = Type.Unsafe<string | string[]>({
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: maxIds }],
})

export default defineRoute({
  method: 'POST',
  path: '/v1/subscribers/{subscriberId}/messages/mark-as',
  summary: "Mark a subscriber's in-app messages as seen, unseen, read or unread",
  body: fields({ messageId: messageIds, markAs: oneOf(['read', 'seen', 'unread', 'unseen']) }),
  status: 201,
  response: Type.Array(messageSchema, {
    description:
      'Those that were found, newest first; other ids are passed over. After 4 MB without content, payload and the like.',
  }),
  async handler({ ctx, db, env, now, params, body }) {
    const named = [body.messageId].flat().filter(isUuid7)
    const ids = [...new Set(named.map((id) => id.toLowerCase()))]
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    await changeFeed(db, env, { subscriberId: subscriber.id, filter: { ids }, change: { to: body.markAs }, now })
    const page = { page: 0, limit: maxIds }
    const { items } = await listFeed(db, env, { subscriberId: subscriber.id, filter: { ids }, page, now })
    const marked: MessageJson[] = []
    const room = { left: maxFullChars }
    const load = async (ids: string[]) => toMessageJsons(ctx, db, env, await listMessagesById(db, env, ids))
    for await (const portion of inPortions(items, load)) {
      marked.push(...portion.map((message) => (hasMoreText(message, room) ? withoutContent(message) : message)))
    }
    return marked
  },
})

function withoutContent(message: MessageJson): MessageJson {
  const { content: _c, payload: _p, overrides: _o, template: _t, subscriber: _s, ...rest } = message
  return rest
}
