import { Type } from 'typebox'
import { integrationSchema, toIntegrationJson } from '../../core/integration-json.ts'
import { deleteIntegration } from '../../core/save-integration.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listIntegrations } from '../../store/integrations.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/integrations/{integrationId}',
  summary: 'Delete an integration for good; the reply lists those that remain',
  response: Type.Array(integrationSchema),
  async handler({ ctx, db, env, now, params }) {
    await deleteIntegration({ ctx, db, env, now }, params.integrationId)
    const remaining = await listIntegrations(db, env)
    return remaining.map((row) => toIntegrationJson(ctx, env, row))
  },
})
