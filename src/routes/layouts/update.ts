import { layoutInput, updateLayout } from '../../core/layouts/save-layout.ts'
import { layoutSchema, toLayoutJson } from '../../core/replies/layout-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PUT',
  path: '/v2/layouts/{layoutId}',
  summary: 'Change a layout; what runs already goes on with the one it began with',
  body: fields(layoutInput),
  response: layoutSchema,
  async handler({ db, env, now, params, body }) {
    return toLayoutJson(await updateLayout({ db, env, now }, params.layoutId, body))
  },
})
