import { Type } from 'typebox'
import { askReset } from '../../core/people/reset-password.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/reset/ask',
  summary:
    'Ask for a mail with a link to choose a new password; the answer is the same whether or not there is an account',
  auth: 'sign-in',
  body: fields({ email: Type.String({ format: 'email', maxLength: 320 }) }),
  status: 202,
  async handler({ ctx, body, here, ration }) {
    ration()
    // Not awaited: the time of the answer must not tell what was found.
    void askReset(ctx, body.email, here).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'what was asked for a new password was not done'),
    )
  },
})
