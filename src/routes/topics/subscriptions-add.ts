import { topicMembersReply, toTopicMembersReply } from '../../core/replies/topic-json.ts'
import { saveTopic } from '../../core/subscribers/save-topic.ts'
import { readMembers, topicMembersInput } from '../../core/subscribers/topic-members.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isTopicKey } from '../../lib/formats.ts'
import { addTopicMembers } from '../../store/topic-subscriptions.ts'
import { lockTopic } from '../../store/topics.ts'

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
    // Counted in characters, as a schema's maxLength counts.
    if ([...topicKey].length > 100 || !isTopicKey(topicKey)) {
      throw invalidField('topicKey', 'may hold letters, digits, "-", "_" and ":", or be an e-mail address', topicKey)
    }
    const topic = (await lockTopic(db, env, topicKey)) ?? (await saveTopic(db, env, { key: topicKey }, now)).row
    const members = await addTopicMembers(db, env, topic.id, subscriberIds, now)
    return toTopicMembersReply(asked, members, {
      code: 'SUBSCRIBER_NOT_FOUND',
      message: (id) => `No subscriber has the subscriberId "${id}".`,
    })
  },
})
