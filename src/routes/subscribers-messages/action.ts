import { Type } from 'typebox'
import { answerAction } from '../../core/inbox/feed-state.ts'
import { messageSchema, toMessageJsons } from '../../core/replies/message-json.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, freeObject, oneOf } from '../../lib/schemas.ts'
import { listMessagesById } from '../../store/history/messages.ts'

// A list shows up to a thousand messages, each with its payload.
const payload = Type.Optional({ ...freeObject, 'x-maxJsonBytes': 64 * 1024 })

export default defineRoute({
  method: 'POST',
  path: '/v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}',
  summary: 'Note that a button (`primary` or `secondary`) of an in-app message was pressed, or take that back',
  body: fields({ status: oneOf(['pending', 'done']), payload }),
  status: 201,
  response: messageSchema,
  async handler({ ctx, db, env, now, params, body }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    const named = { notificationId: params.messageId }
    await answerAction(ctx, db, env, subscriber, named, { button: params.type, ...body }, now)
    const [message] = await toMessageJsons(ctx, db, env, await listMessagesById(db, env, [params.messageId]))
    if (!message) throw new ApiError('message_not_found')
    return message
  },
})
