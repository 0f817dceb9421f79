import { Type } from 'typebox'
import { bulkInput, bulkSeenInput, inFeed, toFeedFilter } from '../../core/inbox/feed-filter.ts'
import { answerAction, changeMany, changeOne, deleteMany, deleteOne } from '../../core/inbox/feed-state.ts'
import { inboxSchema, showNotification } from '../../core/replies/inbox-json.ts'
import { invalidField } from '../../errors.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { readTime } from '../../lib/read-time.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { FeedChange, FeedFilter } from '../../store/history/feed.ts'

const all = '/v1/inbox/notifications'
const one = `${all}/{notificationId}` as const
const response = Type.Object({ data: inboxSchema })

/** Every change of a notification's state, as under /v2/subscribers, for the person who holds the token. */
export const routes = {
  'mark-read': ofOne('read', 'Mark a notification as read, and so as seen', { to: 'read' }),
  'mark-unread': ofOne('unread', 'Mark a notification as unread; it stays seen', { to: 'unread' }),
  archive: ofOne('archive', 'Archive a notification: the feed shows it no more unless asked', { to: 'archived' }),
  unarchive: ofOne('unarchive', 'Bring an archived notification back', { to: 'unarchived' }),
  unsnooze: ofOne('unsnooze', 'End the snooze of a notification: it is delivered again', { to: 'unsnoozed' }),
  snooze: defineInboxRoute({
    method: 'PATCH',
    path: `${one}/snooze`,
    summary: 'Take a notification out of the feed until a time; then it is delivered again',
    body: fields({ snoozeUntil: Type.String({ format: 'date-time' }) }),
    response,
    async handler({ ctx, db, env, now, params, body, person: { subscriber, contextKeys } }) {
      const until = readTime('snoozeUntil', body.snoozeUntil)
      if (until <= now) throw invalidField('snoozeUntil', 'must be in the future', body.snoozeUntil)
      const ref = { ...params, contextKeys }
      const changed = await changeOne(ctx, db, env, subscriber, ref, { to: 'snoozed', until }, now)
      return { data: await showNotification(db, env, changed, now) }
    },
  }),
  complete: ofButton('complete', 'Note that a button was pressed; the notification is then read', 'done'),
  revert: ofButton('revert', 'Take back that a button was pressed', 'pending'),
  delete: defineInboxRoute({
    method: 'DELETE',
    path: `${one}/delete`,
    summary: 'Delete a notification for good',
    status: 204,
    handler: ({ ctx, db, env, now, params, person: { subscriber, contextKeys } }) =>
      deleteOne(ctx, db, env, subscriber, { ...params, contextKeys }, now),
  }),

  'mark-seen': defineInboxRoute({
    method: 'POST',
    path: `${all}/seen`,
    summary: 'Mark the named notifications as seen, or else what the filter finds in the feed',
    body: bulkSeenInput,
    status: 204,
    async handler({ ctx, db, env, now, body, person: { subscriber, contextKeys } }) {
      const { notificationIds, ...limits } = body
      const ids = notificationIds?.filter(isUuid7)
      const filter = { ...toFeedFilter(limits), ...(ids ? { ids } : inFeed), contextKeys }
      await changeMany(ctx, db, env, { subscriberId: subscriber.id, filter, change: { to: 'seen' }, now })
    },
  }),
  'mark-all-read': ofMany('read', 'Mark everything in the feed as read', inFeed, { to: 'read' }),
  'archive-all': ofMany('archive', 'Archive everything in the feed', inFeed, { to: 'archived' }),
  'archive-all-read': ofMany('read-archive', 'Archive what is read in the feed', readInFeed(), { to: 'archived' }),
  // Clients 3.7.0 to 3.9.1 call it so.
  'archive-all-read-old': ofMany('archive/read', 'The same as read-archive', readInFeed(), { to: 'archived' }),
  'delete-all': defineInboxRoute({
    method: 'POST',
    path: `${all}/delete`,
    summary: 'Delete all notifications, archived and snoozed ones too, or what the filter finds, for good',
    body: bulkInput,
    status: 204,
    async handler({ ctx, db, env, now, body, person: { subscriber, contextKeys } }) {
      await deleteMany(ctx, db, env, {
        subscriberId: subscriber.id,
        filter: { ...toFeedFilter(body), contextKeys },
        now,
      })
    },
  }),
}

function readInFeed(): FeedFilter {
  return { ...inFeed, read: true }
}

/** Answers with the notification as it is after the change. */
function ofOne<const V extends string>(verb: V, summary: string, change: FeedChange) {
  return defineInboxRoute({
    method: 'PATCH',
    path: `${one}/${verb}`,
    summary,
    response,
    async handler({ ctx, db, env, now, params, person: { subscriber, contextKeys } }) {
      const { notificationId = '' }: { notificationId?: string } = params
      const changed = await changeOne(ctx, db, env, subscriber, { notificationId, contextKeys }, change, now)
      return { data: await showNotification(db, env, changed, now) }
    },
  })
}

function ofButton<const V extends string>(verb: V, summary: string, status: 'done' | 'pending') {
  return defineInboxRoute({
    method: 'PATCH',
    path: `${one}/${verb}`,
    summary,
    body: fields({ actionType: oneOf(['primary', 'secondary']) }),
    response,
    async handler({ ctx, db, env, now, params, body, person: { subscriber, contextKeys } }) {
      const { notificationId = '' }: { notificationId?: string } = params
      const answer = { button: body.actionType, status }
      const answered = await answerAction(ctx, db, env, subscriber, { notificationId, contextKeys }, answer, now)
      return { data: await showNotification(db, env, answered, now) }
    },
  })
}

/** `among`: what the caller's filter cannot widen. */
function ofMany(verb: string, summary: string, among: FeedFilter, change: FeedChange) {
  return defineInboxRoute({
    method: 'POST',
    path: `${all}/${verb}`,
    summary: `${summary}, or what the filter finds of it`,
    body: bulkInput,
    status: 204,
    async handler({ ctx, db, env, now, body, person: { subscriber, contextKeys } }) {
      const filter = { ...toFeedFilter(body), ...among, contextKeys }
      await changeMany(ctx, db, env, { subscriberId: subscriber.id, filter, change, now })
    },
  })
}
