import { findMailWay } from '../../core/own-mails/mail-way.ts'
import { getOrganization, organizationSchema, toOrganizationJson } from '../../core/people/organization.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/organization',
  summary: 'The organization: its name, what sends its own mails, and what it asks of those who sign in',
  response: organizationSchema,
  async handler({ ctx, db, env, here }) {
    const way = await findMailWay(ctx, env.organizationId)
    return toOrganizationJson(env, await getOrganization(db, env), { way, here })
  },
})
