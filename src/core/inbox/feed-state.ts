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
import { findSubscriber, type SubscriberRow } from '../../store/subscribers.ts'
import type { Cta } from '../replies/feed-json.ts'
import { type InboxJson, toInboxJson } from '../replies/inbox-json.ts'
import { getWorkflows } from '../workflows/workflow.ts'

/** A notification of the feed, as the path and query of a request name it. */
export type Named = { subscriberId: string; notificationId: string; contextKeys?: readonly string[] | undefined }

export async function getSubscriber(db: Db, env: Env, subscriberId: string): Promise<SubscriberRow> {
  const subscriber = await findSubscriber(db, env, subscriberId)
  if (!subscriber) throw new ApiError('subscriber_not_found')
  return subscriber
}

/** Marks every one the filter finds, and answers how many were not so before. */
export async function changeMany(
  db: Db,
  env: Env,
  subscriberId: string,
  filter: FeedFilter,
  change: FeedChange,
  now: Date,
): Promise<number> {
  const subscriber = await getSubscriber(db, env, subscriberId)
  return changeFeed(db, env, subscriber.id, filter, change, now)
}

/** What already is as asked stays as it is: asking again is no fault. */
export async function changeOne(db: Db, env: Env, named: Named, change: FeedChange, now: Date): Promise<InboxJson> {
  const subscriber = await getSubscriber(db, env, named.subscriberId)
  await changeFeed(db, env, subscriber.id, filterOf(named), change, now)
  return showOne(db, env, subscriber, named, now)
}

export async function deleteOne(db: Db, env: Env, named: Named, now: Date): Promise<void> {
  const subscriber = await getSubscriber(db, env, named.subscriberId)
  const deleted = await deleteFeed(db, env, subscriber.id, filterOf(named), now)
  if (deleted === 0) throw new ApiError('message_not_found')
}

export type ActionAnswer = { button: string; status: 'pending' | 'done'; payload?: Record<string, unknown> }

/** A button was pressed, or that is taken back. Who presses a button of a message has read it. */
export async function answerAction(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  named: Named,
  { button, status, payload }: ActionAnswer,
  now: Date,
): Promise<void> {
  const row = await getNotification(db, env, subscriber, named, now)
  // Written by us, in the shape of 2.9.
  const { action } = row.cta as Cta
  if (!action?.buttons.some(({ type }) => type === button)) {
    throw invalidField('type', 'must be the type of a button this message has', button)
  }
  if (status === 'pending') return setFeedAction(db, env, row.id, button, { status }, now)
  await changeFeed(db, env, subscriber.id, { ids: [row.id] }, { to: 'read' }, now)
  await setFeedAction(db, env, row.id, button, { status, result: { type: button, ...(payload && { payload }) } }, now)
}

export async function showOne(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  named: Named,
  now: Date,
): Promise<InboxJson> {
  const row = await getNotification(db, env, subscriber, named, now)
  const [json] = await toInboxJsons(db, env, subscriber, [row], now)
  if (!json) throw new ApiError('message_not_found')
  return json
}

export async function toInboxJsons(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  rows: readonly FeedRow[],
  now: Date,
): Promise<InboxJson[]> {
  const wanted = rows.map((row) => ({ workflowId: row.workflow_id, version: row.workflow_version }))
  const workflows = await getWorkflows(db, env, wanted)
  return rows.map((row) =>
    toInboxJson(row, subscriber, workflows.get(`${row.workflow_id}:${row.workflow_version}`), now),
  )
}

/** Somebody else's is as unknown as one that never was. */
async function getNotification(db: Db, env: Env, subscriber: SubscriberRow, named: Named, now: Date): Promise<FeedRow> {
  const [row] = await sliceFeed(db, env, subscriber.id, filterOf(named), { offset: 0, limit: 1 }, now)
  if (!row) throw new ApiError('message_not_found')
  return row
}

function filterOf({ notificationId, contextKeys }: Named): FeedFilter {
  return {
    ids: isUuid7(notificationId) ? [notificationId] : [],
    ...(contextKeys && { contextKeys: [...new Set(contextKeys)].sort() }),
  }
}
