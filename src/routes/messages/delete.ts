import { Type } from 'typebox'
import { deleteMessages } from '../../core/delivery/delete-message.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isUuid7 } from '../../lib/uuid7.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/messages/{messageId}',
  summary: 'Delete a message',
  response: Type.Object({ acknowledged: Type.Boolean(), status: Type.String() }),
  async handler({ ctx, db, env, now, params }) {
    const isDeleted = isUuid7(params.messageId) && (await deleteMessages(ctx, db, env, [params.messageId], now)) > 0
    if (!isDeleted) throw new ApiError('message_not_found')
    return { acknowledged: true, status: 'deleted' }
  },
})
