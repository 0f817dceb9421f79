import { getLayout } from '../../core/layouts/save-layout.ts'
import { layoutSchema, toLayoutJson } from '../../core/replies/layout-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/layouts/{layoutId}',
  summary: 'Retrieve a layout by its layoutId or _id',
  response: layoutSchema,
  async handler({ db, env, params }) {
    return toLayoutJson(await getLayout(db, env, params.layoutId))
  },
})
