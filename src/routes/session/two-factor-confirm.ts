import { Type } from 'typebox'
import { confirmTwoFactor } from '../../core/people/two-factor.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/account/two-factor/confirm',
  summary: 'Turn the second proof on by a code of the app; answers recovery codes, shown this once; other sessions end',
  auth: 'session',
  body: fields({ code: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: Type.Object({ recoveryCodes: Type.Array(Type.String(), { description: 'Each works once.' }) }),
  handler: async ({ ctx, body, account }) => {
    return { recoveryCodes: await confirmTwoFactor(ctx, account().self, body.code) }
  },
})
