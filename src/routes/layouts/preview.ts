import { Type } from 'typebox'
import { layoutPreviewSchema, previewLayout } from '../../core/pipeline/preview-layout.ts'
import { previewProperties } from '../../core/pipeline/preview-step.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, freeObject, nullable } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/layouts/{layoutId}/preview',
  summary: 'A layout as one person would see it around an e-mail; nothing is sent',
  // `controlValues` replace the saved ones in this preview.
  body: fields({
    controlValues: Type.Optional(nullable(freeObject)),
    content: Type.Optional(Type.String({ description: 'HTML in place of the sample, a template as in a step.' })),
    ...previewProperties,
  }),
  // The published client expects 201.
  status: 201,
  response: layoutPreviewSchema,
  // Rendering may be slow.
  beforeTransaction: {
    call: ({ ctx, env, params, body }) => previewLayout(ctx, env, params.layoutId, body),
  },
  async handler({ prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return prepared
  },
})
