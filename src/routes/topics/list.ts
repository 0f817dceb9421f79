import { Type } from 'typebox'
import { topicSchema, toTopicJson } from '../../core/replies/topic-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { listTopics } from '../../store/topics.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/topics',
  summary: 'List topics',
  query: fields({
    ...cursorQuery(['_id', 'createdAt', 'updatedAt', 'key', 'name']),
    key: Type.Optional(Type.String({ description: 'A part of the key, case-sensitive.' })),
    name: Type.Optional(Type.String({ description: 'A part of the name, case-sensitive.' })),
  }),
  response: cursorPageOf(topicSchema),
  async handler({ ctx, db, env, query }) {
    const { key, name } = query
    const filter = { ...(key !== undefined && { key }), ...(name !== undefined && { name }) }
    return cursorList(
      { ctx, env, query },
      {
        name: 'topics',
        filter,
        load: (page) => listTopics(db, env, filter, page),
        toJson: (rows) => rows.map(toTopicJson),
      },
    )
  },
})
