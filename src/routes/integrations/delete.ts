import { Type } from 'typebox'
import { deleteIntegration } from '../../core/integrations/save-integration.ts'
import { integrationSchema, toIntegrationJson } from '../../core/replies/integration-json.ts'
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
