import { Type } from 'typebox'
import { readSendBounds } from '../../core/sends/bounds.ts'
import { boundsSchema } from '../../core/sends/change-bounds.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/environment/large-sends',
  summary: 'What large sends of this environment are bounded by',
  response: Type.Object({ data: boundsSchema }),
  handler: async ({ db, env }) => ({ data: await readSendBounds(db, env) }),
})
