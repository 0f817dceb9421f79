import { Type } from 'typebox'
import { identifiedSubscriber } from '../../core/subscribers/topic-members.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listTopicMembers } from '../../store/topic-subscriptions.ts'
import { findTopic } from '../../store/topics.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/topics/{topicKey}/subscriptions/{identifier}',
  summary: 'Retrieve one subscription of a topic by its identifier',
  response: Type.Object({ id: Type.String(), identifier: Type.String() }),
  async handler({ db, env, params }) {
    const topic = await findTopic(db, env, params.topicKey)
    if (!topic) throw new ApiError('topic_not_found')
    const subscriberId = identifiedSubscriber(topic.key, params.identifier)
    const [member] = await listTopicMembers(db, env, topic.id, subscriberId === null ? [] : [subscriberId])
    if (!member) throw new ApiError('topic_subscription_not_found')
    return { id: member.id, identifier: params.identifier }
  },
})
