import { type Static, Type } from 'typebox'
import { nullable } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { TopicSubscriptionRow } from '../../store/topic-subscriptions.ts'
import type { TopicRow } from '../../store/topics.ts'
import { subscriptionIdentifier } from '../subscribers/topic-members.ts'

export const topicKey = Type.String({ minLength: 1, maxLength: 100, format: 'topic-key' })
export const topicName = Type.String({ maxLength: 100 })

/** Spec 2.7. */
export const topicSchema = Type.Object(
  {
    _id: Type.String(),
    key: Type.String(),
    name: Type.Optional(Type.String()),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Topic' },
)
export type TopicJson = Static<typeof topicSchema>

export function toTopicJson(row: TopicRow): TopicJson {
  return {
    _id: row.id,
    key: row.key,
    ...(row.name !== null && { name: row.name }),
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

const profileText = Type.Optional(nullable(Type.String()))

/** Spec 2.8, and `identifier` and `updatedAt`, which clients also read. */
export const topicSubscriptionSchema = Type.Object(
  {
    _id: Type.String(),
    identifier: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    topic: topicSchema,
    subscriber: Type.Object(
      {
        _id: Type.String(),
        subscriberId: Type.String(),
        avatar: profileText,
        firstName: profileText,
        lastName: profileText,
        email: profileText,
      },
      { title: 'SubscriberSummary' },
    ),
  },
  { title: 'TopicSubscription' },
)
export type TopicSubscriptionJson = Static<typeof topicSubscriptionSchema>

export function toTopicSubscriptionJson(row: TopicSubscriptionRow): TopicSubscriptionJson {
  const createdAt = uuid7Time(row.id).toISOString()
  const topic = { id: row.topic_id, key: row.topic_key, name: row.topic_name, updated_at: row.topic_updated_at }
  return {
    _id: row.id,
    identifier: subscriptionIdentifier(row.topic_key, row.external_id),
    createdAt,
    // A membership is created and deleted, never changed.
    updatedAt: createdAt,
    topic: toTopicJson(topic),
    subscriber: {
      _id: row.subscriber_id,
      subscriberId: row.external_id,
      avatar: row.avatar,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
    },
  }
}

/** The reply to adding and removing members: what was done, and an error for each failure. */
export const topicMembersReply = Type.Object({
  data: Type.Array(topicSubscriptionSchema),
  meta: Type.Object({ totalCount: Type.Integer(), successful: Type.Integer(), failed: Type.Integer() }),
  errors: Type.Optional(
    Type.Array(Type.Object({ subscriberId: Type.String(), code: Type.String(), message: Type.String() })),
  ),
})

export function toTopicMembersReply(
  asked: readonly string[],
  done: readonly TopicSubscriptionRow[],
  refusal: { code: string; message: (subscriberId: string) => string },
): Static<typeof topicMembersReply> {
  const reached = new Set(done.map((row) => row.external_id))
  const failed = asked.filter((subscriberId) => !reached.has(subscriberId))
  return {
    data: done.map(toTopicSubscriptionJson),
    meta: { totalCount: asked.length, successful: done.length, failed: failed.length },
    ...(failed.length > 0 && {
      errors: failed.map((subscriberId) => ({
        subscriberId,
        code: refusal.code,
        message: refusal.message(subscriberId),
      })),
    }),
  }
}
