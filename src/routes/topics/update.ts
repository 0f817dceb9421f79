import { Type } from 'typebox'
import { topicName, topicSchema, toTopicJson } from '../../core/replies/topic-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'
import { findTopic, keepTopic, renameTopic } from '../../store/topics.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/topics/{topicKey}',
  summary: 'Rename a topic',
  body: fields({ name: Type.Optional(topicName) }),
  response: topicSchema,
  async handler({ db, env, now, params, body }) {
    await keepTopic(db, env, params.topicKey)
    const renamed = body.name === undefined ? null : await renameTopic(db, env, params.topicKey, body.name, now)
    const topic = renamed ?? (await findTopic(db, env, params.topicKey))
    if (!topic) throw new ApiError('topic_not_found')
    return toTopicJson(topic)
  },
})
