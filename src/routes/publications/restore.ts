import { Type } from 'typebox'
import { toPublishedJson } from '../../core/publishing/published-json.ts'
import { fingerprintInput, noteInput, publishedSchema } from '../../core/publishing/publishing-json.ts'
import { putBack } from '../../core/publishing/put-back.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/publications/{publicationId}/restore',
  summary: 'Make the environment what it was after a publication, or before it',
  body: fields({
    state: Type.Optional(oneOf(['before', 'after'], { description: 'By default the state after it.' })),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only says what would be done.' })),
    fingerprint: fingerprintInput,
    note: noteInput,
  }),
  response: publishedSchema,
  isHeavy: () => true,
  async handler({ params, body, ...scope }) {
    const { state = 'after', dryRun = false, note = null, fingerprint = null } = body
    const done = await putBack(scope, params.publicationId, { state, dryRun, note, fingerprint })
    return toPublishedJson(done, { chosen: null, dryRun })
  },
})
