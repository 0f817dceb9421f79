import { Type } from 'typebox'
import { goToOrganization } from '../../core/people/sign-in-person.ts'
import { sessionSchema } from '../../http/dashboard/session-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/organization',
  summary: 'Go to another organization of yours: a new session, and this one ends',
  auth: 'session',
  body: fields({ organizationId: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: sessionSchema,
  async handler({ ctx, body, origin, account, enter, show }) {
    const { session } = account()
    return show(await enter(() => goToOrganization(ctx, session, body.organizationId, origin)))
  },
})
