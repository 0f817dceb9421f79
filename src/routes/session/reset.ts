import { Type } from 'typebox'
import { resetPassword } from '../../core/people/reset-password.ts'
import { sessionSchema } from '../../http/dashboard/session-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/reset',
  summary:
    'Choose a new password by a link that was mailed; ends all sessions, and signs in where a password is enough',
  auth: 'sign-in',
  body: fields({ token: Type.String({ minLength: 1, maxLength: 300 }), password: Type.String({ minLength: 1 }) }),
  response: Type.Object({
    next: oneOf(['dashboard', 'sign-in'], { description: 'Sign-in: with the new password and the second proof.' }),
    session: Type.Optional(sessionSchema),
  }),
  async handler({ ctx, body, origin, guess, enter, show }) {
    const token = await guess(() => resetPassword(ctx, body, origin))
    if (token === null) return { next: 'sign-in' as const }
    return { next: 'dashboard' as const, session: await show(await enter(async () => token)) }
  },
})
