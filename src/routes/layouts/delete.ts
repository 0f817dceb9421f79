import { deleteLayout } from '../../core/layouts/save-layout.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/layouts/{layoutId}',
  summary: 'Delete a layout that is not the default, and that no workflow names',
  changesContent: true,
  status: 204,
  async handler({ db, env, now, params }) {
    await deleteLayout({ db, env, now }, params.layoutId)
  },
})
