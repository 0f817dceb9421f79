import { Type } from 'typebox'
import { finishSignIn } from '../../core/sign-in/finish.ts'
import { sessionSchema } from '../../http/dashboard/session-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields, nullable } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/connection/finish',
  summary: 'Sign in with what an issuer sent back; only in the browser that began, and once',
  auth: 'sign-in',
  body: fields({
    query: Type.String({ minLength: 1, maxLength: 8_000, description: 'Of the address that the issuer sent one to.' }),
  }),
  response: Type.Object({ next: nullable(Type.String()), session: sessionSchema }),
  async handler({ ctx, body, origin, here, kept, keep, enter, show }) {
    const cookie = kept()
    let next: string | null = null
    const session = await enter(async () => {
      const done = await finishSignIn(ctx, { query: body.query, cookie, origin, here })
      next = done.next
      return done.token
    })
    keep('', 0)
    return { next, session: await show(session) }
  },
})
