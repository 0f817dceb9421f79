import { Type } from 'typebox'
import { invitationSchema, toInvitationJson } from '../../core/people/member-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listInvitations } from '../../store/people/invitations.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/members/invitations',
  summary: 'List the invitations that nobody has accepted, and what became of their mails',
  response: Type.Object({ data: Type.Array(invitationSchema) }),
  handler: async ({ db, env }) => ({ data: (await listInvitations(db, env.organizationId)).map(toInvitationJson) }),
})
