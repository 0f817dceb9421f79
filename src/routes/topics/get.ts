import { topicSchema, toTopicJson } from '../../core/replies/topic-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { findTopic } from '../../store/topics.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/topics/{topicKey}',
  summary: 'Retrieve a topic',
  response: topicSchema,
  async handler({ db, env, params }) {
    const topic = await findTopic(db, env, params.topicKey)
    if (!topic) throw new ApiError('topic_not_found')
    return toTopicJson(topic)
  },
})
