import { within } from '../../core/people/change-account.ts'
import { ApiError } from '../../errors.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { endPersonSessions } from '../../store/people/person-sessions.ts'

export default defineSessionRoute({
  method: 'DELETE',
  path: '/session/sessions/{sessionId}',
  summary: 'End one of your sessions: it is over on every node within 5 seconds',
  auth: 'session',
  status: 204,
  async handler({ ctx, now, params, person }) {
    const { self } = person()
    const { sessionId } = params
    const ended = isUuid7(sessionId)
      ? await endPersonSessions(ctx.database.db, self.person.id, { only: sessionId, organizationId: within(self) }, now)
      : []
    if (ended.length === 0) throw new ApiError('session_not_found')
  },
})
