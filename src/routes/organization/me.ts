import { Type } from 'typebox'
import { defineRoute } from '../../http/define-route.ts'
import { findOrganizationName } from '../../store/people/organization-settings.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/organizations/me',
  summary: 'What the organization of this key is called',
  response: Type.Object({ _id: Type.String(), name: Type.String() }, { title: 'OrganizationName' }),
  handler: async ({ db, env: { organizationId } }) => ({
    _id: organizationId,
    name: await findOrganizationName(db, organizationId),
  }),
})
