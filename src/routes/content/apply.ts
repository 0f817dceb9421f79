import { Type } from 'typebox'
import { appliedSchema, applyContent } from '../../core/content/apply-content.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { fields, freeObject } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/content',
  summary: 'Make workflows, layouts and translations what files say: all of it, or nothing; what no file names stays',
  changesContent: (body) => !isPlainObject(body) || body.dryRun !== true,
  body: fields({
    dryRun: Type.Optional(Type.Boolean({ description: 'Only says what would be changed.' })),
    // The handler checks each by itself.
    resources: Type.Array(freeObject, {
      minItems: 1,
      maxItems: 10_000,
      description: 'As GET gives them: bodies of POST /v2/workflows, /v2/layouts and /v2/translations.',
    }),
  }),
  contentCheckedByHandler: 'resources',
  bodyLimitBytes: 25 * 1024 * 1024,
  response: appliedSchema,
  isHeavy: () => true,
  handler: ({ body, ...scope }) => applyContent(scope, body.resources, { dryRun: body.dryRun ?? false }),
})
