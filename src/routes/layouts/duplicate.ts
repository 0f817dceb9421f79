import { Type } from 'typebox'
import { duplicateLayout, layoutId, layoutName } from '../../core/layouts/save-layout.ts'
import { layoutSchema, showLayout } from '../../core/replies/layout-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/layouts/{layoutId}/duplicate',
  summary: 'Copy a layout, without its translations; the copy is not the default',
  changesContent: true,
  body: fields({
    name: layoutName,
    layoutId: Type.Optional(layoutId),
    isTranslationEnabled: Type.Optional(Type.Boolean()),
  }),
  status: 201,
  response: layoutSchema,
  async handler({ db, env, now, params, body }) {
    return showLayout(db, env, await duplicateLayout({ db, env, now }, params.layoutId, body))
  },
})
