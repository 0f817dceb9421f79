import { Type } from 'typebox'
import {
  changeOrganization,
  checkOrganization,
  organizationFields,
  organizationSchema,
  toOrganizationJson,
} from '../../core/people/organization.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/organization',
  summary: 'Change the organization; what is not sent stays. Its mails and who may use passwords: owners only',
  body: fields(
    {
      name: Type.Optional(organizationFields.name),
      mail: Type.Optional(organizationFields.mail),
      requireTwoFactor: Type.Optional(organizationFields.requireTwoFactor),
      passwords: Type.Optional(organizationFields.passwords),
    },
    { minProperties: 1 },
  ),
  response: organizationSchema,
  beforeTransaction: { call: ({ ctx, env, body }) => checkOrganization(ctx, env, body) },
  async handler({ db, env, here, body, prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return toOrganizationJson(env, await changeOrganization(db, env, body), { way: prepared, here })
  },
})
