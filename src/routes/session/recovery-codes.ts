import { Type } from 'typebox'
import { renewRecoveryCodes } from '../../core/people/two-factor.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/account/recovery-codes',
  summary: 'New recovery codes in the place of the old ones, shown this once; all your other sessions end',
  auth: 'session',
  body: fields({
    password: Type.String({ minLength: 1 }),
    code: Type.String({ minLength: 1, maxLength: 100, description: 'Of the app, or a recovery code.' }),
  }),
  response: Type.Object({ recoveryCodes: Type.Array(Type.String(), { description: 'Each works once.' }) }),
  handler: async ({ ctx, body, account }) => {
    return { recoveryCodes: await renewRecoveryCodes(ctx, account().self, body) }
  },
})
