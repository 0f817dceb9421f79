import { contextSchema, toContextJson } from '../../core/values/context-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { findContext } from '../../store/values/contexts.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/contexts/{type}/{id}',
  summary: 'Retrieve a context',
  response: contextSchema,
  async handler({ db, env, params }) {
    const row = await findContext(db, env, params)
    if (!row) throw new ApiError('context_not_found')
    return toContextJson(row)
  },
})
