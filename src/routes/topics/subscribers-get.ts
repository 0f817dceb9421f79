import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listTopicMembers } from '../../store/topic-subscriptions.ts'
import { findTopic } from '../../store/topics.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/topics/{topicKey}/subscribers/{externalSubscriberId}',
  summary: 'Check whether a subscriber is subscribed to a topic',
  response: Type.Object({
    _organizationId: Type.String(),
    _environmentId: Type.String(),
    _subscriberId: Type.String(),
    _topicId: Type.String(),
    topicKey: Type.String(),
    externalSubscriberId: Type.String(),
  }),
  async handler({ db, env, params }) {
    const topic = await findTopic(db, env, params.topicKey)
    if (!topic) throw new ApiError('topic_not_found')
    const [member] = await listTopicMembers(db, env, topic.id, [params.externalSubscriberId])
    if (!member) throw new ApiError('topic_subscription_not_found')
    return {
      _organizationId: env.organizationId,
      _environmentId: env.environmentId,
      _subscriberId: member.subscriber_id,
      _topicId: topic.id,
      topicKey: topic.key,
      externalSubscriberId: member.external_id,
    }
  },
})
