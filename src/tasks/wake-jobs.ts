import { enqueueDeliveries, enqueueResumptions } from '../core/pipeline/enqueue.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { inTransaction } from '../store/database.ts'
import { claimDueMessages } from '../store/history/attempts.ts'
import { findNextDue, wakeDueJobs } from '../store/history/windows.ts'
import { releasePacedMessages } from '../store/paces.ts'

const batchSize = 1_000
// If a task is lost, its message is woken again after this.
const againAfterMs = 30 * 60_000

/**
 * Timers are rows: ended delays and digests, due retries, turns at integrations that are paced, attempts past their deadline, messages whose task was lost.
 * They are claimed and queued in one transaction, so that one node queues each once.
 */
export default defineLoop({
  name: 'wake-jobs',
  everyMs: 250,
  restMs: 2_000,
  async run(ctx, rest) {
    const now = ctx.clock()
    const due = await findNextDue(ctx.database.db, now)
    if (!due || due > now) {
      // Timers are made by tasks. Those of other workers are theirs to wake; this finds them if they die.
      if (ctx.engine.isIdle()) rest?.(due ? due.getTime() - now.getTime() : Number.POSITIVE_INFINITY)
      return 0
    }
    const messages = await inTransaction(ctx.database.db, async (db) => {
      const due = await claimDueMessages(db, now, new Date(now.getTime() + againAfterMs), batchSize)
      for (const [environmentId, ofEnvironment] of Map.groupBy(due, (message) => message.environment_id)) {
        await enqueueDeliveries(ctx, db, { environmentId }, ofEnvironment)
      }
      return due.length
    })
    const paced = await inTransaction(ctx.database.db, async (db) => {
      const due = await releasePacedMessages(db, new Date(now.getTime() + againAfterMs), batchSize)
      for (const [environmentId, ofEnvironment] of Map.groupBy(due, (message) => message.environment_id)) {
        await enqueueDeliveries(ctx, db, { environmentId }, ofEnvironment, { released: true })
      }
      return due.length
    })
    const jobs = await inTransaction(ctx.database.db, async (db) => {
      const woken = await wakeDueJobs(db, now, batchSize)
      for (const [environmentId, ofEnvironment] of Map.groupBy(woken, (job) => job.environment_id)) {
        await enqueueResumptions(
          ctx,
          db,
          { environmentId },
          ofEnvironment.map((job) => job.notification_id),
        )
      }
      return woken.length
    })
    ctx.metrics.timers.inc({ kind: 'message' }, messages + paced)
    ctx.metrics.timers.inc({ kind: 'job' }, jobs)
    return messages + paced + jobs
  },
})
