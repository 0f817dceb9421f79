import { Type } from 'typebox'
import { boundProperties, boundsSchema, changeSendBounds } from '../../core/sends/change-bounds.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/environment/large-sends',
  summary: 'Change what large sends are bounded by; what is not given stays. Sends that have begun keep theirs',
  body: Type.Partial(fields(boundProperties)),
  response: Type.Object({ data: boundsSchema }),
  handler: async ({ db, env, body }) => ({ data: await changeSendBounds(db, env, body) }),
})
