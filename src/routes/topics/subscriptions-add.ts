import { topicMembersReply, toTopicMembersReply } from '../../core/replies/topic-json.ts'
import { saveTopic } from '../../core/subscribers/save-topic.ts'
import { checkTopicKey, readMembers, topicMembersInput } from '../../core/subscribers/topic-members.ts'
import { defineRoute } from '../../http/define-route.ts'
import { addTopicMembers } from '../../store/topic-subscriptions.ts'
import { keepTopic, lockTopic } from '../../store/topics.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/topics/{topicKey}/subscriptions',
  summary: 'Subscribe up to 100 subscribers to a topic; a topic that does not exist is created',
  body: topicMembersInput,
  status: 201,
  response: topicMembersReply,
  async handler({ db, env, now, params, body }) {
    const { topicKey } = params
    const { asked, subscriberIds } = readMembers(body, topicKey)
    checkTopicKey(topicKey)
    await keepTopic(db, env, topicKey)
    const topic = (await lockTopic(db, env, topicKey)) ?? (await saveTopic(db, env, { key: topicKey }, now)).row
    const members = await addTopicMembers(db, env, topic.id, subscriberIds, now)
    return toTopicMembersReply(asked, members, {
      code: 'SUBSCRIBER_NOT_FOUND',
      message: (id) => `No subscriber has the subscriberId "${id}".`,
    })
  },
})
