import { Type } from 'typebox'
import { bulkInput, bulkSeenInput, contextQuery, inFeed, toFeedFilter } from '../../core/inbox/feed-filter.ts'
import { answerAction, changeMany, changeOne, deleteMany, deleteOne } from '../../core/inbox/feed-state.ts'
import { inboxSchema, showNotification } from '../../core/replies/inbox-json.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute, type Method } from '../../http/define-route.ts'
import { readTime } from '../../lib/read-time.ts'
import { fields } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { FeedChange, FeedFilter } from '../../store/history/feed.ts'

const all = '/v2/subscribers/{subscriberId}/notifications'
const one = `${all}/{notificationId}` as const

/** Every change of a notification's state: of one by its id, of a button of one, or of all that a filter finds. */
export const routes = {
  'mark-read': ofOne({
    method: 'PATCH',
    path: `${one}/read`,
    summary: 'Mark an in-app notification as read, and so as seen',
    change: { to: 'read' },
  }),
  'mark-unread': ofOne({
    method: 'PATCH',
    path: `${one}/unread`,
    summary: 'Mark an in-app notification as unread; it stays seen',
    change: { to: 'unread' },
  }),
  archive: ofOne({
    method: 'PATCH',
    path: `${one}/archive`,
    summary: 'Archive an in-app notification: the feed shows it no more unless asked',
    change: { to: 'archived' },
  }),
  unarchive: ofOne({
    method: 'PATCH',
    path: `${one}/unarchive`,
    summary: 'Bring an archived in-app notification back',
    change: { to: 'unarchived' },
  }),
  snooze: defineRoute({
    method: 'PATCH',
    path: `${one}/snooze`,
    summary: 'Take an in-app notification out of the feed until a time; then it is delivered again',
    query: contextQuery,
    body: fields({ snoozeUntil: Type.String({ format: 'date-time' }) }),
    response: inboxSchema,
    async handler({ ctx, db, env, now, params, query, body }) {
      const until = readTime('snoozeUntil', body.snoozeUntil)
      if (until <= now) throw invalidField('snoozeUntil', 'must be in the future', body.snoozeUntil)
      const subscriber = await getSubscriber(db, env, params.subscriberId)
      const changed = await changeOne(ctx, db, env, subscriber, { ...params, ...query }, { to: 'snoozed', until }, now)
      return showNotification(db, env, changed, now)
    },
  }),
  unsnooze: ofOne({
    method: 'PATCH',
    path: `${one}/unsnooze`,
    summary: 'End the snooze of an in-app notification: it is delivered again',
    change: { to: 'unsnoozed' },
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: one,
    summary: 'Delete an in-app notification for good',
    query: contextQuery,
    status: 204,
    async handler({ ctx, db, env, now, params, query }) {
      const subscriber = await getSubscriber(db, env, params.subscriberId)
      await deleteOne(ctx, db, env, subscriber, { ...params, ...query }, now)
    },
  }),

  'complete-action': ofButton({
    method: 'PATCH',
    path: `${one}/actions/{type}/complete`,
    summary: 'Note that a button (`primary` or `secondary`) was pressed; the notification is then read',
    status: 'done',
  }),
  'revert-action': ofButton({
    method: 'PATCH',
    path: `${one}/actions/{type}/revert`,
    summary: 'Take back that a button was pressed',
    status: 'pending',
  }),

  'mark-seen': defineRoute({
    method: 'POST',
    path: `${all}/seen`,
    summary: 'Mark the named in-app notifications as seen, or else what the filter finds in the feed',
    body: bulkSeenInput,
    status: 204,
    async handler({ ctx, db, env, now, params, body }) {
      const { notificationIds, ...limits } = body
      const ids = notificationIds?.filter(isUuid7)
      const filter = { ...toFeedFilter(limits), ...(ids ? { ids } : inFeed) }
      const subscriber = await getSubscriber(db, env, params.subscriberId)
      await changeMany(ctx, db, env, { subscriberId: subscriber.id, filter, change: { to: 'seen' }, now })
    },
  }),
  'mark-all-read': ofMany({
    method: 'POST',
    path: `${all}/read`,
    summary: 'Mark everything in the feed, or what the filter finds of it, as read',
    among: inFeed,
    change: { to: 'read' },
  }),
  'archive-all': ofMany({
    method: 'POST',
    path: `${all}/archive`,
    summary: 'Archive everything in the feed, or what the filter finds of it',
    among: inFeed,
    change: { to: 'archived' },
  }),
  'archive-all-read': ofMany({
    method: 'POST',
    path: `${all}/read-archive`,
    summary: 'Archive what is read in the feed, or what the filter finds of it',
    among: { ...inFeed, read: true },
    change: { to: 'archived' },
  }),
  'delete-all': defineRoute({
    method: 'POST',
    path: `${all}/delete`,
    summary: 'Delete all in-app notifications, archived and snoozed ones too, or what the filter finds, for good',
    body: bulkInput,
    status: 204,
    async handler({ ctx, db, env, now, params, body }) {
      const subscriber = await getSubscriber(db, env, params.subscriberId)
      await deleteMany(ctx, db, env, { subscriberId: subscriber.id, filter: toFeedFilter(body), now })
    },
  }),
}

type Row<P extends string> = { method: Method; path: P; summary: string }

/** Answers with the notification as it is after the change. */
function ofOne({ change, ...row }: Row<`${typeof one}/${string}`> & { change: FeedChange }) {
  return defineRoute({
    ...row,
    query: contextQuery,
    response: inboxSchema,
    async handler({ ctx, db, env, now, params, query }) {
      const subscriber = await getSubscriber(db, env, params.subscriberId)
      const changed = await changeOne(ctx, db, env, subscriber, { ...params, ...query }, change, now)
      return showNotification(db, env, changed, now)
    },
  })
}

function ofButton({ status, ...row }: Row<`${typeof one}/actions/{type}/${string}`> & { status: 'done' | 'pending' }) {
  return defineRoute({
    ...row,
    query: contextQuery,
    response: inboxSchema,
    async handler({ ctx, db, env, now, params, query }) {
      const subscriber = await getSubscriber(db, env, params.subscriberId)
      const answer = { button: params.type, status }
      const answered = await answerAction(ctx, db, env, subscriber, { ...params, ...query }, answer, now)
      return showNotification(db, env, answered, now)
    },
  })
}

/** `among`: what the caller's filter cannot widen. */
function ofMany({ among, change, ...row }: Row<`${typeof all}/${string}`> & { among: FeedFilter; change: FeedChange }) {
  return defineRoute({
    ...row,
    body: bulkInput,
    status: 204,
    async handler({ ctx, db, env, now, params, body }) {
      const filter = { ...toFeedFilter(body), ...among }
      const subscriber = await getSubscriber(db, env, params.subscriberId)
      await changeMany(ctx, db, env, { subscriberId: subscriber.id, filter, change, now })
    },
  })
}
