import type { Ctx } from '../../context.ts'
import { envOf, inTransaction } from '../../store/database.ts'
import { findEvents } from '../../store/history/events.ts'
import {
  forgetTries,
  hurryTask,
  listDyingTasks,
  listQuarantinedTasks,
  type TaskInTrouble,
} from '../../store/history/quarantined-tasks.ts'
import { cancelEvent } from '../pipeline/cancel-event.ts'
import { cancelWaitingSteps } from '../pipeline/resume.ts'

/** What an operator does with tasks that were given up, or that take their processes down. */

/** Puts a task back, as if it had never been tried; one that waits runs at once. Returns whether there is such a task. */
export async function retryTask(ctx: Ctx, id: string): Promise<boolean> {
  const { db } = ctx.database
  if ((await putBack(ctx, [id])) === 1) return true
  const [waiting] = await listDyingTasks(db, 1, id)
  if (waiting) await hurryTask(db, id)
  return waiting !== undefined
}

const batchSize = 500

/** Puts back all that were given up until now. Returns how many. */
export async function retryAllTasks(ctx: Ctx): Promise<number> {
  const until = ctx.clock()
  for (let count = 0; ; ) {
    const quarantined = await listQuarantinedTasks(ctx.database.db, batchSize)
    // One that failed again meanwhile is not tried for ever.
    const ids = quarantined.filter((it) => it.since <= until).map((it) => it.id)
    const moved = ids.length === 0 ? 0 : await putBack(ctx, ids)
    if (moved === 0) return count
    count += moved
  }
}

function putBack(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return inTransaction(ctx.database.db, async (db) => {
    await forgetTries(db, ids)
    return ctx.engine.putBack(db, ids)
  })
}

/** Ends what a task that was given up would have moved, then the task. Returns it, or null if there is none. */
export async function dropTask(ctx: Ctx, id: string): Promise<TaskInTrouble | null> {
  const [task] = await listQuarantinedTasks(ctx.database.db, 1, id)
  if (!task) return null
  await endRows(ctx, task)
  await ctx.engine.forget(ctx.database.db, id)
  return task
}

/** Otherwise the sweep would find them without a task, and queue them again. */
async function endRows(ctx: Ctx, { data }: TaskInTrouble): Promise<void> {
  const env = envOf(data.environmentId)
  const now = ctx.clock()
  if (Array.isArray(data.eventIds)) {
    const ids = data.eventIds as string[]
    await ctx.database.write(env, async (db) => {
      for (const event of await findEvents(db, env, ids)) await cancelEvent(ctx, db, env, event.transaction_id, now)
    })
  }
  if (Array.isArray(data.notificationIds)) await cancelWaitingSteps(ctx, env, data.notificationIds as string[], now)
}
