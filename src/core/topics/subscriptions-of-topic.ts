import { ApiError } from '../../errors.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { findSubscriberById, type SubscriberRow } from '../../store/subscribers.ts'
import { findOwners, listOwnSubscriptions, type SubscriptionRow } from '../../store/subscription-details.ts'
import { listTopicMembers, type TopicSubscriptionRow } from '../../store/topic-subscriptions.ts'
import { findTopic } from '../../store/topics.ts'
import { identifiedSubscriber } from '../subscribers/topic-members.ts'

type Found = { member: TopicSubscriptionRow; subscriber: SubscriberRow; row: SubscriptionRow }

/**
 * Anybody's subscription to a topic, by its identifier or id. By what the list of members shows, the member's default
 * identifier or id, it is the plain one, or the oldest of a member who has none. A name that several chose is ambiguous.
 */
export async function getSubscriptionOfTopic(db: Db, env: Env, topicKey: string, ref: string): Promise<Found> {
  const topic = await findTopic(db, env, topicKey)
  if (!topic) throw new ApiError('topic_not_found')
  const named = identifiedSubscriber(topic.key, ref)
  const [byDefault] = named === null ? [] : await listTopicMembers(db, env, topic.id, [named])
  const owners = byDefault
    ? [byDefault.subscriber_id]
    : await findOwners(db, env, topic.id, ref, isUuid7(ref) ? ref : null)
  const [owner] = owners
  if (owners.length > 1) throw new ApiError('subscription_ambiguous')
  const subscriber = owner === undefined ? null : await findSubscriberById(db, env, owner)
  if (!subscriber) throw new ApiError('topic_subscription_not_found')
  const [member] = await listTopicMembers(db, env, topic.id, [subscriber.subscriber_id])
  const rows = await listOwnSubscriptions(db, env, { topicId: topic.id, subscriberId: subscriber.id })
  const isMember = byDefault !== undefined || ref === member?.id
  const row = isMember
    ? (rows.find((it) => it.identifier === '') ?? rows[0])
    : rows.find((it) => it.identifier === ref || it.id === ref)
  if (!row || !member) throw new ApiError('topic_subscription_not_found')
  // One person may have the same name in several contexts.
  if (rows.filter((it) => it.identifier === ref).length > 1) throw new ApiError('subscription_ambiguous')
  return { member, subscriber, row }
}
