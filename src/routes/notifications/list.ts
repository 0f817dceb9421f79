import { Type } from 'typebox'
import type { StepOutcome } from '../../core/numbers/occurrences.ts'
import { activitySchema } from '../../core/replies/activity-json.ts'
import { activitiesInPortions } from '../../core/replies/list-activity.ts'
import { defineRoute } from '../../http/define-route.ts'
import { readTime } from '../../lib/read-time.ts'
import { fields, oneOf, pageQuery, uncountedPageOf } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { findEventKeys } from '../../store/history/events.ts'
import { listNotifications } from '../../store/history/notifications.ts'
import { findTopic } from '../../store/topics.ts'

/** The words of numbers and metrics; `completed` is what the others are. */
const outcomes = ['failed', 'skipped', 'canceled', 'merged', 'waiting'] as const satisfies readonly StepOutcome[]

const texts = Type.Optional(Type.Array(Type.String()))

export default defineRoute({
  method: 'GET',
  path: '/v1/notifications',
  summary: 'List triggered events, newest first',
  query: fields({
    channels: texts,
    templates: texts,
    emails: texts,
    search: Type.Optional(Type.String({ deprecated: true })),
    subscriberIds: texts,
    severity: texts,
    ...pageQuery(50),
    transactionId: Type.Optional(Type.String()),
    topicKey: Type.Optional(Type.String()),
    contextKeys: texts,
    outcome: Type.Optional(
      oneOf(outcomes, { description: 'Only those of which a step ended so, or is waiting. Our own addition.' }),
    ),
    after: Type.Optional(Type.String({ description: 'ISO time, inclusive. Default: as far back as history is kept.' })),
    before: Type.Optional(Type.String({ description: 'ISO time, inclusive.' })),
  }),
  response: uncountedPageOf(activitySchema),
  async handler({ ctx, db, env, now, query }) {
    const { page = 0, limit = 10, transactionId, topicKey, contextKeys } = query
    const { channels, emails, subscriberIds, severity, search, outcome } = query
    const after = readTime('after', query.after) ?? new Date(now.getTime() - ctx.config.retentionDays * dayMs)
    const before = readTime('before', query.before)
    const event = transactionId === undefined ? null : (await findEventKeys(db, env, [transactionId]))[0]
    const topic = topicKey === undefined ? null : await findTopic(db, env, topicKey)
    const matchesNothing = event === undefined || (topicKey !== undefined && !topic)
    const filter = {
      ...(channels && { channels }),
      ...(emails && { emails }),
      ...(subscriberIds && { subscriberIds }),
      ...(severity && { severity }),
      ...(search !== undefined && { search }),
      ...(query.templates && { templates: query.templates.filter(isUuid7) }),
      ...(event && { eventId: event.event_id }),
      ...(topic && { topicId: topic.id }),
      ...(outcome && { stepStatus: outcome === 'waiting' ? ('delayed' as const) : outcome }),
      ...(contextKeys && { contextKeys: [...new Set(contextKeys)].sort() }),
      after,
      ...(before && { before }),
    }
    const none = { items: [], hasMore: false }
    const { items, hasMore } = matchesNothing ? none : await listNotifications(db, env, filter, { page, limit })
    return { data: activitiesInPortions(ctx, env, items), hasMore, pageSize: limit, page }
  },
})

const dayMs = 24 * 3600 * 1000
