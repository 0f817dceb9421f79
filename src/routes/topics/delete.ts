import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { markTopicDeleted } from '../../store/topics.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/topics/{topicKey}',
  summary: 'Delete a topic and its subscriptions',
  response: Type.Object({ acknowledged: Type.Boolean() }),
  async handler({ db, env, now, params }) {
    if (!(await markTopicDeleted(db, env, params.topicKey, now))) throw new ApiError('topic_not_found')
    return { acknowledged: true }
  },
})
