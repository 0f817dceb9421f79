import { Type } from 'typebox'
import { listSentMessages, sentMessageSchema } from '../../core/replies/sent-message-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { findNotification } from '../../store/history/notifications.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/notifications/{notificationId}/messages',
  summary: 'The messages of a triggered event as the person saw them, with every try at sending them',
  response: Type.Object({ data: Type.Array(sentMessageSchema) }),
  async handler({ ctx, db, env, params }) {
    const row = isUuid7(params.notificationId) ? await findNotification(db, env, params.notificationId) : null
    if (!row) throw new ApiError('notification_not_found')
    return { data: await listSentMessages(ctx, db, env, row) }
  },
})
