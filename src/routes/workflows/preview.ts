import { draftProperties, previewDraft } from '../../core/pipeline/draft-step.ts'
import { previewSchema } from '../../core/pipeline/preview-step.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/workflows/preview',
  summary: 'A step that is not saved, as one person would see it; nothing is sent',
  body: fields(draftProperties),
  response: previewSchema,
  // Rendering may be slow.
  beforeTransaction: { call: ({ ctx, env, body }) => previewDraft(ctx, env, body) },
  async handler({ prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return prepared
  },
})
