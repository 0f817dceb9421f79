import { removeMember } from '../../core/people/change-members.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/members/{personId}',
  summary: 'Remove somebody from the organization; their sessions end with it',
  status: 204,
  handler: ({ params, ...scope }) => removeMember(scope, params.personId),
})
