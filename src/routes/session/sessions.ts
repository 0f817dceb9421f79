import { Type } from 'typebox'
import { ownSessionSchema, toOwnSessionJson } from '../../core/people/account-json.ts'
import { within } from '../../core/people/change-account.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { listPersonSessions } from '../../store/people/person-sessions.ts'

export default defineSessionRoute({
  method: 'GET',
  path: '/session/sessions',
  summary: 'Where you are signed in, in all your organizations; the one used last first',
  auth: 'session',
  response: Type.Object({ data: Type.Array(ownSessionSchema) }),
  async handler({ ctx, now, person }) {
    const { self } = person()
    const rows = await listPersonSessions(ctx.database.db, { personId: self.person.id, only: within(self) }, now)
    return { data: rows.map((row) => toOwnSessionJson(row, self.sessionId)) }
  },
})
