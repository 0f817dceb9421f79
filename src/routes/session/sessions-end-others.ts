import { Type } from 'typebox'
import { within } from '../../core/people/change-account.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { endPersonSessions } from '../../store/people/person-sessions.ts'

export default defineSessionRoute({
  method: 'DELETE',
  path: '/session/sessions',
  summary: 'End all your sessions but this one: they are over on every node within 5 seconds',
  auth: 'session',
  response: Type.Object({ ended: Type.Integer() }),
  async handler({ ctx, now, person }) {
    const { self } = person()
    const others = { but: self.sessionId, organizationId: within(self) }
    return { ended: (await endPersonSessions(ctx.database.db, self.person.id, others, now)).length }
  },
})
