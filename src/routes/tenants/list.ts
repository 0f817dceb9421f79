import { tenantSchema, toTenantJson } from '../../core/replies/tenant-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, pageOf, pageQuery } from '../../lib/schemas.ts'
import { listTenants } from '../../store/tenants.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/tenants',
  summary: 'List tenants, newest first',
  query: fields({
    ...pageQuery(100),
  }),
  response: pageOf(tenantSchema),
  async handler({ db, env, query }) {
    const { page = 0, limit = 10 } = query
    const rows = await listTenants(db, env, { page, limit })
    return {
      data: rows.slice(0, limit).map((row) => toTenantJson(env, row)),
      hasMore: rows.length > limit,
      pageSize: limit,
      page,
    }
  },
})
