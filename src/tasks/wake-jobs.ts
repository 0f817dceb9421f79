import type { Ctx } from '../context.ts'
import { enqueueDeliveries, enqueueResumptions } from '../core/pipeline/enqueue.ts'
import { shortestPauseMs } from '../engine/alarm.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { inTransaction } from '../store/database.ts'
import { claimDueMessages, type DueMessage } from '../store/history/attempts.ts'
import { findNextDue, wakeDueJobs } from '../store/history/windows.ts'
import { releasePacedMessages } from '../store/paces.ts'

const batchSize = 1_000
const everyMs = 250
// If a task is lost, its message is woken again after this.
const againAfterMs = 30 * 60_000

/**
 * Timers are rows: ended delays and digests, due retries, turns at integrations that are paced, attempts past their deadline, messages whose task was lost.
 * They are claimed and queued in one transaction, so that one node queues each once. In between it sleeps until the next
 * one is due; the alarm tells of those that this process makes meanwhile.
 */
export default defineLoop({
  name: 'wake-jobs',
  everyMs,
  restMs: 2_000,
  alarm: (ctx) => ctx.timers,
  async run(ctx, rest) {
    const now = ctx.clock()
    const due = await findNextDue(ctx.database.db)
    const [messagesIn, jobsIn] = [msUntil(due.message_at, now), msUntil(due.job_at, now)]
    const again = new Date(now.getTime() + againAfterMs)
    const faults: unknown[] = []
    // A fault of one kind holds up no other.
    const of = (kind: Promise<number>) =>
      kind.catch((error: unknown) => {
        faults.push(error)
        return 0
      })
    const jobs = jobsIn <= 0 ? await of(wakeJobs(ctx, now)) : 0
    const messages = messagesIn <= 0 ? await of(wakeMessages(ctx, now, again)) : 0
    const paced = due.is_paced ? await of(releasePaced(ctx, again)) : 0
    ctx.metrics.timers.inc({ kind: 'message' }, messages + paced)
    ctx.metrics.timers.inc({ kind: 'job' }, jobs)

    if (faults.length > 0) throw faults[0]
    const done = jobs + messages + paced
    const nextMs = Math.min(messagesIn, jobsIn)
    if (done > 0) {
      // More than a batch may be due: that is done at once.
      if (Math.max(jobs, messages, paced) < batchSize) rest?.(shortestPauseMs)
    } else if (nextMs > 0 && !due.is_paced) {
      // Of timers that other processes make, this one knows when it looks: while it is idle, every other second.
      if (nextMs < everyMs || ctx.engine.isIdle()) rest?.(nextMs)
    }
    return done
  },
})

function msUntil(at: Date | null, now: Date): number {
  return at ? at.getTime() - now.getTime() : Number.POSITIVE_INFINITY
}

function wakeJobs(ctx: Ctx, now: Date): Promise<number> {
  return inTransaction(ctx.database.db, async (db) => {
    const woken = await wakeDueJobs(db, now, batchSize)
    for (const [environmentId, ofEnvironment] of Map.groupBy(woken, (job) => job.environment_id)) {
      const ids = ofEnvironment.map((job) => job.notification_id)
      await enqueueResumptions(ctx, db, { environmentId }, ids)
    }
    return woken.length
  })
}

function wakeMessages(ctx: Ctx, now: Date, again: Date): Promise<number> {
  return inTransaction(ctx.database.db, async (db) => {
    const due = await claimDueMessages(db, now, again, batchSize)
    for (const [environmentId, ofEnvironment] of byEnvironment(due)) {
      await enqueueDeliveries(ctx, db, { environmentId }, ofEnvironment)
    }
    return due.length
  })
}

function releasePaced(ctx: Ctx, again: Date): Promise<number> {
  return inTransaction(ctx.database.db, async (db) => {
    const due = await releasePacedMessages(db, again, batchSize)
    for (const [environmentId, ofEnvironment] of byEnvironment(due)) {
      await enqueueDeliveries(ctx, db, { environmentId }, ofEnvironment, { released: true })
    }
    return due.length
  })
}

function byEnvironment(due: readonly DueMessage[]): Map<string, DueMessage[]> {
  return Map.groupBy(due, (message) => message.environment_id)
}
