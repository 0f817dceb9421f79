import { Type } from 'typebox'
import { integrationSchema, toIntegrationJson } from '../../core/replies/integration-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listIntegrations } from '../../store/integrations.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/integrations/active',
  summary: 'List the active integrations',
  response: Type.Array(integrationSchema),
  async handler({ ctx, db, env }) {
    const rows = await listIntegrations(db, env)
    return rows.filter((row) => row.active).map((row) => toIntegrationJson(ctx, env, row))
  },
})
