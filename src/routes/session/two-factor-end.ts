import { Type } from 'typebox'
import { endTwoFactor } from '../../core/people/two-factor.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'DELETE',
  path: '/session/account/two-factor',
  summary: 'Turn the second proof off; all your other sessions end',
  auth: 'session',
  body: fields({
    password: Type.String({ minLength: 1 }),
    code: Type.String({ minLength: 1, maxLength: 100, description: 'Of the app, or a recovery code.' }),
  }),
  status: 204,
  handler: ({ ctx, body, account }) => endTwoFactor(ctx, account().self, body),
})
