import { Type } from 'typebox'
import { contextQuery } from '../../core/inbox/feed-filter.ts'
import { changeOne } from '../../core/inbox/feed-state.ts'
import { inboxSchema } from '../../core/replies/inbox-json.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { readTime } from '../../lib/read-time.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/snooze',
  summary: 'Take an in-app notification out of the feed until a time; then it is delivered again',
  query: contextQuery,
  body: fields({ snoozeUntil: Type.String({ format: 'date-time' }) }),
  response: inboxSchema,
  async handler({ db, env, now, params, query, body }) {
    const until = readTime('snoozeUntil', body.snoozeUntil)
    if (until <= now) throw invalidField('snoozeUntil', 'must be in the future', body.snoozeUntil)
    return changeOne(db, env, { ...params, ...query }, { to: 'snoozed', until }, now)
  },
})
