import { Type } from 'typebox'
import { checkNewIntegration } from '../../core/integrations/check-integration.ts'
import { asksForCheck, checkEnvironment, integrationChangeInput } from '../../core/integrations/integration-input.ts'
import { createIntegration } from '../../core/integrations/save-integration.ts'
import { integrationSchema, toIntegrationJson } from '../../core/replies/integration-json.ts'
import { completeFilter } from '../../core/workflows/step-filter.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { channels } from '../../providers/provider.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations',
  summary: 'Create an integration in the environment of the API key',
  body: fields({
    providerId: Type.String({ minLength: 1, maxLength: 255, format: 'identifier' }),
    channel: oneOf(channels),
    ...integrationChangeInput,
  }),
  status: 201,
  response: integrationSchema,
  beforeTransaction: {
    when: asksForCheck,
    call({ ctx, env, body }) {
      checkEnvironment(env, body._environmentId)
      return checkNewIntegration(ctx, env, body)
    },
  },
  async handler({ ctx, db, env, now, body, prepared }) {
    checkEnvironment(env, body._environmentId)
    const conditions = body.conditions?.map(completeFilter)
    const row = await createIntegration({ ctx, db, env, now }, { ...body, conditions })
    return { ...toIntegrationJson(ctx, env, row, body), ...(prepared && { check: prepared }) }
  },
})
