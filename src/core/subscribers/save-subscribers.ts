import type { Db, Env } from '../../store/database.ts'
import {
  insertSubscribers,
  listSubscribersById,
  type SubscriberPatch,
  type SubscriberRow,
  updateSubscribers,
} from '../../store/subscribers.ts'

export type SavedSubscriber = { row: SubscriberRow; outcome: 'created' | 'updated' | 'unchanged' }

/**
 * Creates or updates by subscriberId, in at most three statements for all of them. Repeats for those that were deleted
 * between two of the statements.
 */
export async function saveSubscribers(
  db: Db,
  env: Env,
  patches: readonly SubscriberPatch[],
  now: Date,
): Promise<Map<string, SavedSubscriber>> {
  const saved = new Map<string, SavedSubscriber>()
  const keep = (outcome: SavedSubscriber['outcome']) => (row: SubscriberRow) => {
    saved.set(row.subscriber_id, { row, outcome })
  }
  let remaining = patches
  const updateRemaining = () => {
    remaining = patches.filter((patch) => !saved.has(patch.subscriberId))
  }
  while (remaining.length > 0) {
    for (const row of await insertSubscribers(db, env, remaining, now)) keep('created')(row)
    updateRemaining()
    if (remaining.length === 0) break
    for (const row of await updateSubscribers(db, env, remaining, now)) keep('updated')(row)
    updateRemaining()
    if (remaining.length === 0) break
    const ids = remaining.map((patch) => patch.subscriberId)
    for (const row of await listSubscribersById(db, env, ids)) keep('unchanged')(row)
    updateRemaining()
  }
  return saved
}
