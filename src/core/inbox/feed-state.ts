import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { afterCommit, type Db, type Env } from '../../store/database.ts'
import {
  changeFeed,
  deleteFeed,
  type FeedChange,
  type FeedFilter,
  type FeedQuery,
  type FeedRow,
  setFeedAction,
  sliceFeed,
} from '../../store/history/feed.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { Cta } from './in-app-message.ts'

/** A notification of a subscriber's feed as a request names it. */
export type NotificationRef = { notificationId: string; contextKeys?: readonly string[] | undefined }
/** The same as loaded rows. */
export type FeedNotification = { subscriber: SubscriberRow; row: FeedRow }

/** Marks everything the filter finds, and tells browsers. Returns how many it changed. */
export async function changeMany(
  ctx: Ctx,
  db: Db,
  env: Env,
  query: FeedQuery & { change: FeedChange },
): Promise<number> {
  tellBrowsers(ctx, db, env, query.subscriberId)
  return changeFeed(db, env, query)
}

export async function deleteMany(ctx: Ctx, db: Db, env: Env, query: FeedQuery): Promise<number> {
  tellBrowsers(ctx, db, env, query.subscriberId)
  return deleteFeed(db, env, query)
}

/** Other windows of the person show the same feed. */
function tellBrowsers({ hints }: Ctx, db: Db, { environmentId }: Env, subscriberId: string): void {
  afterCommit(db, () => hints.tell([{ environmentId, subscriberId, messageId: null }]))
}

/** Asking for the state it already has is not an error. */
export async function changeOne(
  ctx: Ctx,
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  ref: NotificationRef,
  change: FeedChange,
  now: Date,
): Promise<FeedNotification> {
  await changeMany(ctx, db, env, { subscriberId: subscriber.id, filter: filterOf(ref), change, now })
  return { subscriber, row: await getRow(db, env, subscriber, ref, now) }
}

export async function deleteOne(
  ctx: Ctx,
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  ref: NotificationRef,
  now: Date,
): Promise<void> {
  const deleted = await deleteMany(ctx, db, env, { subscriberId: subscriber.id, filter: filterOf(ref), now })
  if (deleted === 0) throw new ApiError('message_not_found')
}

export type ActionAnswer = { button: string; status: 'pending' | 'done'; payload?: Record<string, unknown> }

/** A button was pressed, or the press is taken back. Pressing a button marks the message as read. */
export async function answerAction(
  ctx: Ctx,
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  ref: NotificationRef,
  { button, status, payload }: ActionAnswer,
  now: Date,
): Promise<FeedNotification> {
  const { id, cta } = await getRow(db, env, subscriber, ref, now)
  // Written by us, in the shape of 2.9.
  const { action } = cta as Cta
  if (!action?.buttons.some(({ type }) => type === button)) {
    throw invalidField('type', 'must be the type of a button this message has', button)
  }
  tellBrowsers(ctx, db, env, subscriber.id)
  if (status === 'pending') await setFeedAction(db, env, id, { button, status }, now)
  else {
    await changeFeed(db, env, { subscriberId: subscriber.id, filter: { ids: [id] }, change: { to: 'read' }, now })
    await setFeedAction(db, env, id, { button, status, result: { type: button, ...(payload && { payload }) } }, now)
  }
  return { subscriber, row: await getRow(db, env, subscriber, ref, now) }
}

/** Another subscriber's message looks like one that does not exist. */
async function getRow(db: Db, env: Env, subscriber: SubscriberRow, ref: NotificationRef, now: Date): Promise<FeedRow> {
  const query = { subscriberId: subscriber.id, filter: filterOf(ref), offset: 0, limit: 1, now }
  const [row] = await sliceFeed(db, env, query)
  if (!row) throw new ApiError('message_not_found')
  return row
}

function filterOf({ notificationId, contextKeys }: NotificationRef): FeedFilter {
  return {
    ids: isUuid7(notificationId) ? [notificationId] : [],
    ...(contextKeys && { contextKeys: [...new Set(contextKeys)].sort() }),
  }
}
