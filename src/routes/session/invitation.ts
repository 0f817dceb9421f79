import { Type } from 'typebox'
import { showInvitation } from '../../core/people/accept-invitation.ts'
import { offerConnections } from '../../core/sign-in/begin.ts'
import { offered } from '../../core/sign-in/connection-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session/invitation',
  summary: 'What an invitation is for, to whoever holds its token',
  auth: 'sign-in',
  body: fields({ token: Type.String({ minLength: 1, maxLength: 300 }) }),
  response: Type.Object({
    email: Type.String(),
    organization: Type.Object({ id: Type.String(), name: Type.String() }),
    isKnown: Type.Boolean({ description: 'There is an account with this address: no new one is made.' }),
    connections: offered,
  }),
  async handler({ ctx, body, guess }) {
    const {
      email,
      organizationId: id,
      organizationName: name,
      isKnown,
    } = await guess(() => showInvitation(ctx, body.token))
    return { email, organization: { id, name }, isKnown, connections: await offerConnections(ctx, email, id) }
  },
})
