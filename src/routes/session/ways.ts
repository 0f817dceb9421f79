import { Type } from 'typebox'
import { defineSessionRoute } from '../../http/define-route.ts'
import { findWays } from '../../store/people/sign-in-connections.ts'

export default defineSessionRoute({
  method: 'GET',
  path: '/session/ways',
  summary: 'How one can sign in here, before anything is known of who asks',
  auth: 'sign-in',
  response: Type.Object({
    people: Type.Boolean({ description: 'Somebody has an account, or was invited; otherwise there are only keys.' }),
    connections: Type.Boolean({ description: 'Some come in by an issuer: ask for the e-mail address first.' }),
  }),
  handler: ({ ctx }) => findWays(ctx.database.db),
})
