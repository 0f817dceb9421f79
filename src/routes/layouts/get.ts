import { getLayout } from '../../core/layouts/save-layout.ts'
import { layoutSchema, showLayout } from '../../core/replies/layout-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/layouts/{layoutId}',
  summary: 'Retrieve a layout by its layoutId or _id',
  response: layoutSchema,
  async handler({ db, env, params }) {
    return showLayout(db, env, await getLayout(db, env, params.layoutId))
  },
})
