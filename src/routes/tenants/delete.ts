import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { deleteTenant } from '../../store/tenants.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/tenants/{identifier}',
  summary: 'Delete a tenant',
  status: 204,
  async handler({ db, env, params }) {
    if (!(await deleteTenant(db, env, params.identifier))) throw new ApiError('tenant_not_found')
  },
})
