import { Type } from 'typebox'
import { memberSchema, toMemberJson } from '../../core/people/member-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listMembers } from '../../store/people/members.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/members',
  summary: 'List the people of the organization and what they are in it',
  response: Type.Object({ data: Type.Array(memberSchema) }),
  handler: async ({ db, env }) => ({ data: (await listMembers(db, env.organizationId)).map(toMemberJson) }),
})
