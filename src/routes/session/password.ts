import { Type } from 'typebox'
import { changePassword } from '../../core/people/change-account.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'PUT',
  path: '/session/account/password',
  summary: 'Change your password; all your other sessions end',
  auth: 'session',
  body: fields({ current: Type.String({ minLength: 1 }), password: Type.String({ minLength: 1 }) }),
  status: 204,
  handler: ({ ctx, body, account }) => changePassword(ctx, account().self, body),
})
