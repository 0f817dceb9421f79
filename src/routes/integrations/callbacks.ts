import { getIntegration } from '../../core/integrations/save-integration.ts'
import { callbacksSchema, toCallbacksJson } from '../../core/replies/callbacks-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/integrations/{integrationId}/callbacks',
  summary: 'Whether the vendor calls back, and what it told last',
  response: callbacksSchema,
  async handler({ ctx, db, env, params }) {
    return toCallbacksJson(ctx, db, env, await getIntegration(db, env, params.integrationId))
  },
})
