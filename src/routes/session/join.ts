import { Type } from 'typebox'
import { joinBySession } from '../../core/people/accept-invitation.ts'
import { sessionSchema } from '../../http/dashboard/session-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/join',
  summary: 'Accept an invitation as the person who is signed in; goes to that organization',
  auth: 'session',
  body: fields({ token: Type.String({ minLength: 1, maxLength: 300 }) }),
  response: sessionSchema,
  async handler({ ctx, body, origin, account, enter, show }) {
    const { self } = account()
    return show(await enter(() => joinBySession(ctx, body.token, self.person, origin)))
  },
})
