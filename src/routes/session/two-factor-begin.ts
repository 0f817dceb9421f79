import { Type } from 'typebox'
import { beginTwoFactor } from '../../core/people/two-factor.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/account/two-factor',
  summary: 'Begin to set up a second proof: a secret for an app, shown this once; it counts once it is confirmed',
  auth: 'session',
  body: fields({ password: Type.String({ minLength: 1 }) }),
  response: Type.Object({
    secret: Type.String({ description: 'To type into the app.' }),
    uri: Type.String({ description: 'To show as a QR code (otpauth://).' }),
  }),
  handler: ({ ctx, body, account }) => beginTwoFactor(ctx, account().self.person, body),
})
