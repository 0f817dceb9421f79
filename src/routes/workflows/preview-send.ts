import { testResultSchema } from '../../core/integrations/test-integration.ts'
import { sendDraft, sendDraftProperties } from '../../core/pipeline/send-draft.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/workflows/preview/send',
  summary: 'Send a step that is not saved to yourself, as one person would get it; nothing is stored',
  body: fields(sendDraftProperties),
  response: testResultSchema,
  beforeTransaction: { call: ({ ctx, env, body }) => sendDraft(ctx, env, body) },
  async handler({ prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return prepared
  },
})
