import { testInput, testIntegration, testResultSchema } from '../../core/integrations/test-integration.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations/{integrationId}/test',
  summary: "Send a real message through an integration, active or not, and see the provider's own answer",
  body: testInput,
  response: testResultSchema,
  outside: { call: ({ ctx, env, params, body }) => testIntegration(ctx, env, params.integrationId, body) },
  async handler({ outside }) {
    if (!outside) throw new Error('the host calls the outside first')
    return outside
  },
})
