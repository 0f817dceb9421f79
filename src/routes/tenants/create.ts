import { newTenantInput, tenantSchema, toTenantJson } from '../../core/replies/tenant-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { insertTenant } from '../../store/tenants.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/tenants',
  summary: 'Create a tenant',
  body: newTenantInput,
  status: 201,
  response: tenantSchema,
  async handler({ db, env, now, body }) {
    const row = await insertTenant(db, env, body, now)
    if (!row) throw new ApiError('tenant_exists')
    return toTenantJson(env, row)
  },
})
