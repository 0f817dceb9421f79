import { contextSchema, newContextInput, noteContext, toContextJson } from '../../core/values/context-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { insertContext } from '../../store/values/contexts.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/contexts',
  summary: 'Create a context: what a type and an id stand for, with data for templates',
  body: newContextInput,
  status: 201,
  response: contextSchema,
  async handler({ db, env, now, body: { type, id, data = null } }) {
    const row = await insertContext(db, env, { type, id, data }, now)
    if (!row) throw new ApiError('context_exists')
    noteContext(db, { type, id }, { after: { data: data ?? {} } })
    return toContextJson(row)
  },
})
