import { Type } from 'typebox'
import { activitySchema } from '../../core/replies/activity-json.ts'
import { endpointSchema, toEndpointJson } from '../../core/replies/channel-json.ts'
import { activitiesInPortions } from '../../core/replies/list-activity.ts'
import { messageLoader, messageSchema } from '../../core/replies/message-json.ts'
import { exportedPreferencesSchema, exportPreferences } from '../../core/replies/preference-json.ts'
import { subscriberSchema, toSubscriberJson } from '../../core/replies/subscriber-json.ts'
import { subscriptionSchema, toSubscriptionJsons } from '../../core/replies/subscription-json.ts'
import { topicSubscriptionSchema, toTopicSubscriptionJson } from '../../core/replies/topic-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, listOf, nullable } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { listEndpointsOf } from '../../store/channels/endpoints.ts'
import { inPortions } from '../../store/history/in-portions.ts'
import { listMessagesAfter } from '../../store/history/messages.ts'
import { listNotificationsAfter } from '../../store/history/notifications.ts'
import { findSubscriber } from '../../store/subscribers.ts'
import { listAllDetails } from '../../store/subscription-details.ts'
import { listAllMemberships } from '../../store/topic-subscriptions.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/subscribers/{subscriberId}/export',
  summary: 'Everything this service holds about one subscriber, the history page by page, oldest first',
  query: fields({
    after: Type.Optional(Type.String({ description: 'The `next` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Of notifications, and of messages.' }),
    ),
  }),
  response: Type.Object({
    exportedAt: Type.String({ format: 'date-time' }),
    subscriber: subscriberSchema,
    topicSubscriptions: Type.Array(topicSubscriptionSchema, { description: 'On the first page.' }),
    subscriptions: Type.Array(subscriptionSchema, { description: 'What was chosen in them. On the first page.' }),
    channelEndpoints: Type.Array(endpointSchema, { description: 'Where they are reached. On the first page.' }),
    preferences: exportedPreferencesSchema,
    notifications: listOf(activitySchema),
    messages: listOf(messageSchema),
    next: nullable(Type.String({ description: 'Ask again with it as `after`; null: this was the last page.' })),
  }),
  async handler({ ctx, db, env, now, params, query }) {
    const { after, limit = 100 } = query
    if (after !== undefined && !isUuid7(after)) throw new ApiError('invalid_cursor')
    const row = await findSubscriber(db, env, params.subscriberId)
    if (!row) throw new ApiError('subscriber_not_found')
    const memberships = after === undefined ? await listAllMemberships(db, env, row.id) : []
    const chosen = after === undefined ? await listAllDetails(db, env, row.id) : []
    const endpoints = after === undefined ? await listEndpointsOf(db, env, row.id) : []
    const page = { after: after ?? null, limit }
    const notifications = await listNotificationsAfter(db, env, row.id, page)
    const messages = await listMessagesAfter(db, env, row.id, page)
    const next = endOfPage([notifications, messages], limit)
    const untilNext = (it: { id: string }) => next === null || it.id <= next
    return {
      exportedAt: now.toISOString(),
      subscriber: await toSubscriberJson(ctx, db, env, row),
      topicSubscriptions: memberships.map(toTopicSubscriptionJson),
      subscriptions: await toSubscriptionJsons(db, env, row, chosen),
      channelEndpoints: endpoints.map((it) => toEndpointJson(ctx, env, it)),
      preferences: await exportPreferences(db, env, row.id),
      notifications: activitiesInPortions(ctx, env, notifications.filter(untilNext)),
      messages: inPortions(messages.filter(untilNext), messageLoader(ctx, env)),
      next,
    }
  },
})

/** Both lists share one cursor, so both end where the earlier one is cut off. Ids are ordered by time. */
function endOfPage(lists: readonly (readonly { id: string }[])[], limit: number): string | null {
  const cuts = lists.flatMap((list) => (list.length === limit ? (list.at(-1)?.id ?? []) : []))
  return cuts.sort()[0] ?? null
}
