import { testInput, testIntegration, testResultSchema } from '../../core/integrations/test-integration.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations/{integrationId}/test',
  summary: "Send a real message through an integration, active or not, and see the provider's own answer",
  body: testInput,
  response: testResultSchema,
  beforeTransaction: { call: ({ ctx, env, params, body }) => testIntegration(ctx, env, params.integrationId, body) },
  async handler({ prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return prepared
  },
})
