import { checkChangedIntegration } from '../../core/integrations/check-integration.ts'
import { asksForCheck, checkEnvironment, integrationChangeInput } from '../../core/integrations/integration-input.ts'
import { changeIntegration } from '../../core/integrations/save-integration.ts'
import { integrationSchema, toIntegrationJson } from '../../core/replies/integration-json.ts'
import { completeFilter } from '../../core/workflows/step-filter.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PUT',
  path: '/v1/integrations/{integrationId}',
  summary: 'Update an integration: fields left out stay, a null credential is cleared',
  body: fields(integrationChangeInput),
  response: integrationSchema,
  beforeTransaction: {
    when: asksForCheck,
    call({ ctx, env, params, body }) {
      checkEnvironment(env, body._environmentId)
      return checkChangedIntegration(ctx, env, params.integrationId, body)
    },
  },
  async handler({ ctx, db, env, now, params, body, prepared }) {
    checkEnvironment(env, body._environmentId)
    const conditions = body.conditions?.map(completeFilter)
    const row = await changeIntegration({ ctx, db, env, now }, params.integrationId, { ...body, conditions })
    return { ...toIntegrationJson(ctx, env, row, body), ...(prepared && { check: prepared }) }
  },
})
