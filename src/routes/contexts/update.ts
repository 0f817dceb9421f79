import { contextPatchInput, contextSchema, noteContext, toContextJson } from '../../core/values/context-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { updateContext } from '../../store/values/contexts.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/contexts/{type}/{id}',
  summary: 'Replace the data of a context; the next message has it',
  body: contextPatchInput,
  response: contextSchema,
  async handler({ db, env, now, params, body: { data } }) {
    const row = await updateContext(db, env, params, data, now)
    if (!row) throw new ApiError('context_not_found')
    noteContext(db, params, { before: { data: row.before ?? {} }, after: { data } })
    return toContextJson(row)
  },
})
