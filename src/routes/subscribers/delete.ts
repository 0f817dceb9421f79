import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { afterCommit } from '../../store/database.ts'
import { deleteSubscriber } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/subscribers/{subscriberId}',
  summary: 'Delete a subscriber and erase profile, credentials, topic memberships and the contents of history',
  response: Type.Object({ acknowledged: Type.Boolean(), status: Type.String() }),
  async handler({ ctx, db, env, now, params }) {
    const { environmentId } = env
    const { subscriberId } = params
    const id = await deleteSubscriber(db, env, subscriberId, now)
    if (!id) throw new ApiError('subscriber_not_found')
    await ctx.engine.enqueue(db, 'erase-subscriber', 'bulk', [
      { environmentId, id, subscriberId, before: now.getTime() },
    ])
    // Open inboxes of the person end.
    afterCommit(db, () => ctx.hints.tell([{ environmentId, subscriberId: id, messageId: null }]))
    return { acknowledged: true, status: 'deleted' }
  },
})
