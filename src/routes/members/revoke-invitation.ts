import { revokeInvitation } from '../../core/people/invite.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/members/invitations/{invitationId}',
  summary: 'Take an invitation back: its link opens nothing',
  status: 204,
  handler: ({ params, ...scope }) => revokeInvitation(scope, params.invitationId),
})
