import { tenantPatchInput, tenantSchema, toTenantJson } from '../../core/replies/tenant-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { sqlState, uniqueViolation } from '../../store/database.ts'
import { updateTenant } from '../../store/tenants.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/tenants/{identifier}',
  summary: 'Update a tenant',
  body: tenantPatchInput,
  response: tenantSchema,
  async handler({ db, env, now, params, body }) {
    const row = await updateTenant(db, env, params.identifier, body, now).catch((error: unknown) => {
      throw sqlState(error) === uniqueViolation ? new ApiError('tenant_exists') : error
    })
    if (!row) throw new ApiError('tenant_not_found')
    return toTenantJson(env, row)
  },
})
