import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { deleteMessage } from '../../store/history/messages.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/messages/{messageId}',
  summary: 'Delete a message',
  response: Type.Object({ acknowledged: Type.Boolean(), status: Type.String() }),
  async handler({ db, env, params }) {
    const isDeleted = isUuid7(params.messageId) && (await deleteMessage(db, env, params.messageId))
    if (!isDeleted) throw new ApiError('message_not_found')
    return { acknowledged: true, status: 'deleted' }
  },
})
