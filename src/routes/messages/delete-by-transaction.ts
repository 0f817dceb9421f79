import { Type } from 'typebox'
import { deletePageOfEvent } from '../../core/delivery/delete-message.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { channels } from '../../providers/provider.ts'
import { findEventKeys } from '../../store/history/events.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/messages/transaction/{transactionId}',
  summary:
    'Delete the messages of an event that exist: 500 before the reply, the others soon after. To stop it, cancel it first',
  query: fields({ channel: Type.Optional(oneOf(channels)) }),
  status: 204,
  async handler({ ctx, db, env, now, params, query: { channel = null } }) {
    const [event] = await findEventKeys(db, env, [params.transactionId])
    if (!event) throw new ApiError('event_not_found')
    await deletePageOfEvent(ctx, db, env, { eventId: event.event_id, channel }, now)
  },
})
