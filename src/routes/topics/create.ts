import { Type } from 'typebox'
import { topicKey, topicName, topicSchema, toTopicJson } from '../../core/replies/topic-json.ts'
import { saveTopic } from '../../core/subscribers/save-topic.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/topics',
  summary: 'Create a topic, or rename the one with this key',
  query: fields({ failIfExists: Type.Optional(Type.Boolean()) }),
  body: fields({ key: topicKey, name: Type.Optional(topicName) }),
  response: topicSchema,
  async handler({ db, env, now, query, body }) {
    const { row, created } = await saveTopic(
      db,
      env,
      query.failIfExists ? { key: body.key, nameIfNew: body.name } : body,
      now,
    )
    if (query.failIfExists && !created) throw new ApiError('topic_exists', { existing: toTopicJson(row) })
    return toTopicJson(row)
  },
})
