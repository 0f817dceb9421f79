import { Type } from 'typebox'
import { changeMember } from '../../core/people/change-members.ts'
import { rolesProperties } from '../../core/people/given-roles.ts'
import { memberSchema, toMemberJson } from '../../core/people/member-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/members/{personId}',
  summary: 'Change what somebody is, everywhere or by environment; what is not sent stays',
  body: fields(
    { role: Type.Optional(rolesProperties.role), environments: Type.Optional(rolesProperties.environments) },
    { minProperties: 1 },
  ),
  response: memberSchema,
  handler: async ({ params, body, ...scope }) => toMemberJson(await changeMember(scope, params.personId, body)),
})
