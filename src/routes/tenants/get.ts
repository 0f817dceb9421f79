import { tenantSchema, toTenantJson } from '../../core/replies/tenant-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { findTenant } from '../../store/tenants.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/tenants/{identifier}',
  summary: 'Retrieve a tenant',
  response: tenantSchema,
  async handler({ db, env, params }) {
    const row = await findTenant(db, env, params.identifier)
    if (!row) throw new ApiError('tenant_not_found')
    return toTenantJson(env, row)
  },
})
