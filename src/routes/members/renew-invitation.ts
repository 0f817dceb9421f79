import { findMailWay } from '../../core/own-mails/mail-way.ts'
import { renew } from '../../core/people/invite.ts'
import { invitedSchema, toInvitedJson } from '../../core/people/member-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/members/invitations/{invitationId}/renew',
  summary: 'A new link for an invitation, for another week; the one before opens nothing',
  response: invitedSchema,
  beforeTransaction: { call: ({ ctx, env }) => findMailWay(ctx, env.organizationId) },
  handler: async ({ params, ...scope }) => toInvitedJson(await renew(scope, params.invitationId)),
})
