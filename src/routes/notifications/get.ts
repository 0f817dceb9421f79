import { activitySchema } from '../../core/replies/activity-json.ts'
import { toActivities } from '../../core/replies/list-activity.ts'
import { toMessageJsons } from '../../core/replies/message-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { listMessagesById } from '../../store/history/messages.ts'
import { findNotification } from '../../store/history/notifications.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/notifications/{notificationId}',
  summary: 'Retrieve a triggered event with its steps, their history and what they generated',
  response: activitySchema,
  async handler({ ctx, db, env, params }) {
    const row = isUuid7(params.notificationId) ? await findNotification(db, env, params.notificationId) : null
    if (!row) throw new ApiError('notification_not_found')
    const [activity] = await toActivities(db, env, [row], async (ids) => {
      const messages = await toMessageJsons(ctx, db, env, await listMessagesById(db, env, ids))
      // The reply already holds the workflow and the person.
      return new Map(
        messages.map(({ template: _template, subscriber: _subscriber, ...message }) => [message._id, message]),
      )
    })
    if (!activity) throw new ApiError('notification_not_found')
    return activity
  },
})
