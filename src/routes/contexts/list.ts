import { Type } from 'typebox'
import { contextSchema, toContextJson } from '../../core/values/context-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { listContexts } from '../../store/values/contexts.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/contexts',
  summary: 'List contexts',
  query: fields({
    ...cursorQuery(['_id', 'createdAt', 'updatedAt']),
    id: Type.Optional(Type.String({ description: 'Exactly this id, of any type.' })),
    search: Type.Optional(Type.String({ maxLength: 255, description: 'A part of the type or of the id.' })),
  }),
  response: cursorPageOf(contextSchema),
  async handler({ ctx, db, env, query }) {
    const { id, search } = query
    const filter = { ...(id !== undefined && { id }), ...(search !== undefined && { search }) }
    return cursorList(
      { ctx, env, query },
      {
        name: 'contexts',
        filter,
        load: (page) => listContexts(db, env, filter, page),
        toJson: (rows) => rows.map(toContextJson),
      },
    )
  },
})
