import { Type } from 'typebox'
import { offerConnections } from '../../core/sign-in/begin.ts'
import { offered } from '../../core/sign-in/connection-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/connections',
  summary: 'The sign-in connections for the domain of an address; the same whether or not anybody has the address',
  auth: 'sign-in',
  body: fields({ email: Type.String({ minLength: 1, maxLength: 320 }) }),
  response: Type.Object({ data: offered }),
  handler: async ({ ctx, body }) => ({ data: await offerConnections(ctx, body.email) }),
})
