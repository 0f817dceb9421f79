import { Type } from 'typebox'
import { acceptInvitation } from '../../core/people/accept-invitation.ts'
import { sessionSchema } from '../../http/dashboard/session-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/accept',
  summary: 'Accept an invitation: somebody new chooses a name and a password, somebody known gives theirs; signs in',
  auth: 'sign-in',
  body: fields({
    token: Type.String({ minLength: 1, maxLength: 300 }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, format: 'identifier' })),
    password: Type.String({ minLength: 1 }),
  }),
  response: sessionSchema,
  handler: async ({ ctx, body, origin, enter, show }) => show(await enter(() => acceptInvitation(ctx, body, origin))),
})
