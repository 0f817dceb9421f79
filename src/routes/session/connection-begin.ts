import { Type } from 'typebox'
import { beginSignIn, flowSeconds } from '../../core/sign-in/begin.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/connection',
  summary: 'Begin to sign in by a connection: where to send the browser; sets a cookie by which it is known again',
  auth: 'sign-in',
  body: fields({
    organizationId: Type.String({ minLength: 1, maxLength: 100 }),
    connectionId: Type.String({ minLength: 1, maxLength: 100 }),
    email: Type.Optional(
      Type.String({ minLength: 1, maxLength: 320, description: 'So that it need not be typed again.' }),
    ),
    next: Type.Optional(Type.String({ maxLength: 2_000, description: 'A path of ours to go on to.' })),
  }),
  response: Type.Object({ url: Type.String() }),
  async handler({ ctx, body, here, pace, keep }) {
    pace()
    const { url, cookie } = await beginSignIn(ctx, body, here)
    keep(cookie, flowSeconds)
    return { url }
  },
})
