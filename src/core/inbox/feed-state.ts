import { ApiError, invalidField } from '../../errors.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  changeFeed,
  deleteFeed,
  type FeedChange,
  type FeedFilter,
  type FeedRow,
  setFeedAction,
  sliceFeed,
} from '../../store/history/feed.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { getSubscriber } from '../subscribers/get-subscriber.ts'
import type { Cta } from './in-app-message.ts'

/** A feed notification as a request names it. */
export type NotificationRef = {
  subscriberId: string
  notificationId: string
  contextKeys?: readonly string[] | undefined
}
/** The same as loaded rows. */
export type FeedNotification = { subscriber: SubscriberRow; row: FeedRow }

type Change = { filter: FeedFilter; change: FeedChange; now: Date }

/** Marks everything the filter finds. Returns how many it changed. */
export async function changeMany(
  db: Db,
  env: Env,
  subscriberId: string,
  { filter, change, now }: Change,
): Promise<number> {
  const subscriber = await getSubscriber(db, env, subscriberId)
  return changeFeed(db, env, { subscriberId: subscriber.id, filter, change, now })
}

/** Asking for the state it already has is not an error. */
export async function changeOne(
  db: Db,
  env: Env,
  ref: NotificationRef,
  change: FeedChange,
  now: Date,
): Promise<FeedNotification> {
  const subscriber = await getSubscriber(db, env, ref.subscriberId)
  await changeFeed(db, env, { subscriberId: subscriber.id, filter: filterOf(ref), change, now })
  return { subscriber, row: await getRow(db, env, subscriber, ref, now) }
}

export async function deleteOne(db: Db, env: Env, ref: NotificationRef, now: Date): Promise<void> {
  const subscriber = await getSubscriber(db, env, ref.subscriberId)
  const deleted = await deleteFeed(db, env, { subscriberId: subscriber.id, filter: filterOf(ref), now })
  if (deleted === 0) throw new ApiError('message_not_found')
}

export type ActionAnswer = { button: string; status: 'pending' | 'done'; payload?: Record<string, unknown> }

/** A button was pressed, or the press is taken back. Pressing a button marks the message as read. */
export async function answerAction(
  db: Db,
  env: Env,
  ref: NotificationRef,
  { button, status, payload }: ActionAnswer,
  now: Date,
): Promise<FeedNotification> {
  const subscriber = await getSubscriber(db, env, ref.subscriberId)
  const { id, cta } = await getRow(db, env, subscriber, ref, now)
  // Written by us, in the shape of 2.9.
  const { action } = cta as Cta
  if (!action?.buttons.some(({ type }) => type === button)) {
    throw invalidField('type', 'must be the type of a button this message has', button)
  }
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
