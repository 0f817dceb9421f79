import { layoutInput, updateLayout } from '../../core/layouts/save-layout.ts'
import { layoutSchema, showLayout } from '../../core/replies/layout-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PUT',
  path: '/v2/layouts/{layoutId}',
  summary: 'Change a layout; what runs already goes on with the one it began with',
  changesContent: true,
  body: fields(layoutInput),
  response: layoutSchema,
  async handler({ db, env, now, params, body }) {
    return showLayout(db, env, await updateLayout({ db, env, now }, params.layoutId, body))
  },
})
