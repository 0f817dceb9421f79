import { Type } from 'typebox'
import { toCurrentLayout } from '../../core/layouts/save-layout.ts'
import { layoutSchema, showLayouts } from '../../core/replies/layout-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { listLayouts } from '../../store/wording/layouts.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/layouts',
  summary: 'List layouts',
  query: fields({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
    query: Type.Optional(Type.String({ description: 'A part of the name or layoutId, case-sensitive.' })),
    orderBy: Type.Optional(oneOf(['createdAt', 'updatedAt', 'name'])),
    orderDirection: Type.Optional(oneOf(['ASC', 'DESC'])),
  }),
  response: Type.Object({ layouts: Type.Array(layoutSchema), totalCount: Type.Integer() }),
  async handler({ db, env, query: { limit = 10, offset = 0, query, orderBy = 'createdAt', orderDirection } }) {
    const filter = {
      limit,
      offset,
      orderBy,
      isDescending: orderDirection !== 'ASC',
      ...(query !== undefined && { query }),
    }
    const { rows, totalCount } = await listLayouts(db, env, filter)
    return { layouts: await showLayouts(db, env, rows.map(toCurrentLayout)), totalCount }
  },
})
