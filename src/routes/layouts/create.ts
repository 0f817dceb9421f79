import { Type } from 'typebox'
import { createLayout, layoutId, layoutInput } from '../../core/layouts/save-layout.ts'
import { layoutSchema, showLayout } from '../../core/replies/layout-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/layouts',
  summary: 'Create a layout: what stands around the bodies of e-mails',
  changesContent: true,
  body: fields({
    layoutId,
    ...layoutInput,
    __source: Type.Optional(Type.String({ description: 'Clients send it; it says nothing here.' })),
  }),
  status: 201,
  response: layoutSchema,
  async handler({ db, env, now, body }) {
    return showLayout(db, env, await createLayout({ db, env, now }, body.layoutId.trim(), body))
  },
})
