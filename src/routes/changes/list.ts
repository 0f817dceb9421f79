import { changeFilterFields, changeSchema, toChangeFilter, toChangeJson } from '../../core/record/change-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { listChangeRecords } from '../../store/access/change-records.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/changes',
  summary: 'The record of changes: who changed what, where and when',
  query: fields({ ...cursorQuery(['_id', 'createdAt']), ...changeFilterFields }),
  response: cursorPageOf(changeSchema),
  async handler({ ctx, db, env, query }) {
    const filter = toChangeFilter(env, query)
    return cursorList(
      { ctx, env, query },
      {
        name: 'changes',
        filter,
        load: (page) => listChangeRecords(db, env.organizationId, filter, page),
        toJson: (rows) => rows.map(toChangeJson),
      },
    )
  },
})
