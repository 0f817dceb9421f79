import { noteContext } from '../../core/values/context-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { deleteContext } from '../../store/values/contexts.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/contexts/{type}/{id}',
  summary: 'Delete a context; events and messages keep its name',
  status: 204,
  async handler({ db, env, params }) {
    const row = await deleteContext(db, env, params)
    if (!row) throw new ApiError('context_not_found')
    noteContext(db, params, { before: { data: row.data ?? {} } })
  },
})
