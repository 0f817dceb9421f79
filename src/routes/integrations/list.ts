import { Type } from 'typebox'
import { integrationSchema, toIntegrationJson } from '../../core/replies/integration-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listIntegrations } from '../../store/integrations.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/integrations',
  summary: 'List all integrations',
  response: Type.Array(integrationSchema),
  async handler({ ctx, db, env }) {
    const rows = await listIntegrations(db, env)
    return rows.map((row) => toIntegrationJson(ctx, env, row))
  },
})
