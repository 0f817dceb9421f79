import type { LiveNews } from '../../core/inbox/live-feeds.ts'
import { mostUnread } from '../../core/inbox/open-session.ts'
import { toInboxJson } from '../../core/replies/inbox-json.ts'

/** Under the names that the published clients listen to. */
export type LiveEvent = { name: string; data: unknown }

type Received = Extract<LiveNews, { kind: 'received' }>

/** For sockets: a message as the published clients map it to what they show. */
export function toSocketEvents(news: LiveNews, now: Date): LiveEvent[] {
  if (news.kind === 'received')
    return [{ name: 'notification_received', data: { message: toSocketMessage(news, now) } }]
  const { unread, unseen } = news.look
  const total = Object.values(unread).reduce((sum, n) => sum + n, 0)
  // It counts no further.
  const hasMore = total >= mostUnread
  const unseenChanged = { name: 'unseen_count_changed', data: { unseenCount: unseen, hasMore } }
  // Clients up to 3.8.1 read the first, those from 3.9.1 on the second.
  const unreadCounts = { unreadCount: total, counts: { total, severity: unread }, hasMore }
  return [
    ...(news.changed.unseen ? [unseenChanged] : []),
    // Each of these makes the stock component count again.
    ...(news.changed.unread ? [{ name: 'unread_count_changed', data: unreadCounts }] : []),
  ]
}

/** For server-sent events: notifications as the list has them. */
export function toStreamEvents(news: LiveNews, now: Date): LiveEvent[] {
  if (news.kind === 'counts') return toSocketEvents({ ...news, changed: { unread: true, unseen: true } }, now)
  return [{ name: 'notification_received', data: toInboxJson(news.row, news.subscriber, news.workflow, now) }]
}

function toSocketMessage({ row, subscriber, workflow }: Received, now: Date): object {
  const { id, to, body, isRead, isSeen, isArchived, readAt, firstSeenAt, primaryAction, ...shown } = toInboxJson(
    row,
    subscriber,
    workflow,
    now,
  )
  return {
    ...shown,
    _id: id,
    content: body,
    read: isRead,
    seen: isSeen,
    archived: isArchived,
    lastReadDate: readAt,
    firstSeenDate: firstSeenAt,
    channel: 'in_app',
    subscriber: { ...to, _id: to.id },
    cta: row.cta,
  }
}
