import { topicMembersReply, toTopicMembersReply } from '../../core/replies/topic-json.ts'
import { readMembers, topicMembersInput } from '../../core/subscribers/topic-members.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { removeTopicMembers } from '../../store/topic-subscriptions.ts'
import { findTopic } from '../../store/topics.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/topics/{topicKey}/subscriptions',
  summary: 'Unsubscribe up to 100 subscribers from a topic',
  body: topicMembersInput,
  response: topicMembersReply,
  async handler({ db, env, params, body }) {
    const { asked, subscriberIds } = readMembers(body, params.topicKey)
    const topic = await findTopic(db, env, params.topicKey)
    if (!topic) throw new ApiError('topic_not_found')
    const members = await removeTopicMembers(db, env, topic.id, subscriberIds)
    return toTopicMembersReply(asked, members, {
      code: 'SUBSCRIPTION_NOT_FOUND',
      message: (id) => `"${id}" is not subscribed to this topic.`,
    })
  },
})
