import { enqueueResumptions } from '../core/pipeline/enqueue.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { findStrandedNotifications } from '../store/history/stranded.ts'
import { oneAtATime } from '../store/one-at-a-time.ts'

const batchSize = 5_000

/**
 * Queues notifications that could go on and have no task: what they waited for is over, and the task that was to go on
 * is gone. Normally there are none: a wait ends in the transaction that queues the task. Messages need no sweep, because each
 * that is to be sent has a timer of its own (wake-jobs).
 */
export default defineLoop({
  name: 'sweep-notifications',
  // It reads all that waits for a time, which may be millions.
  everyMs: 300_000,
  async run(ctx) {
    const before = new Date(ctx.clock().getTime() - 60_000)
    const found = await oneAtATime(
      ctx.database.db,
      'sweep-notifications',
      async (db) => {
        const stranded = await findStrandedNotifications(db, before, batchSize)
        for (const [environmentId, some] of Map.groupBy(stranded, (it) => it.environmentId)) {
          const ids = some.map((it) => it.id)
          await enqueueResumptions(ctx, db, { environmentId }, ids, 'bulk')
          ctx.log.warn({ environmentId, count: ids.length }, 'notifications without a task were queued again')
        }
        return stranded.length
      },
      0,
    )
    return found < batchSize ? 0 : found
  },
})
