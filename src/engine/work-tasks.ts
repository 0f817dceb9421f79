import { fromKysely } from 'pg-boss'
import type { Ctx } from '../context.ts'
import type { Task } from './define-task.ts'
import { groupOf, type TaskData } from './engine.ts'
import { type Lane, lanes } from './lanes.ts'
import { runBatch, type Taken } from './run-batch.ts'

// Also the floor when notifications do not arrive.
const pollingSeconds = 2

/** Takes these tasks from their queues, with the workers each asks for, until the engine stops. */
export async function workTasks(ctx: Ctx, tasks: readonly Task[]): Promise<void> {
  for (const task of tasks) {
    for (const [lane, count] of Object.entries(task.workers) as [Lane, number][]) {
      if (count === 0) continue
      // Of workers added together the engine wakes only the first; the others go on after a full batch, which does not
      // exist for tasks taken one by one. So those are added one by one, unless they share a limit.
      if (tasksAtOnce(task) !== null) await addWorkers(ctx, task, lane, count)
      else for (let n = 0; n < count; n++) await addWorkers(ctx, task, lane, 1)
    }
  }
}

/**
 * How many tasks of one environment may be in hand per process and lane: half of the lowest lane's workers, filled. However
 * much it queues, another finds a worker at once. The engine counts tasks and puts back what it took too many of, so this
 * is for queues that take few at a time.
 */
function tasksAtOnce({ workers, batchSize }: Task): number | null {
  return batchSize > 1 && batchSize * 2 <= workers.bulk ? workers.bulk : null
}

async function addWorkers(ctx: Ctx, task: Task, lane: Lane, count: number): Promise<void> {
  const { boss, isPassing } = ctx.engine
  const atOnce = tasksAtOnce(task)
  const options = {
    batchSize: task.batchSize,
    localConcurrency: count,
    // Of the three lanes' settings the engine keeps the last one, which is the lowest lane's.
    ...(atOnce !== null && { localGroupConcurrency: Math.min(atOnce, count) }),
    burstWhenBatchFull: true,
    minPriority: lanes[lane],
    pollingIntervalSeconds: pollingSeconds,
    notifyPollingIntervalSeconds: pollingSeconds,
    perJobResults: true,
    includeMetadata: true,
  } as const
  const id = await boss.work<TaskData, unknown, typeof options>(task.name, options, async (jobs) => {
    const took = ctx.metrics.taskSeconds.startTimer({ queue: task.name })
    const results = await runBatch(ctx, task, jobs, { isPassing, replace: (...args) => replace(ctx, ...args) })
    took()
    for (const { status } of results) ctx.metrics.tasks.inc({ queue: task.name, result: status })
    // There may be more: ask again at once instead of at the next poll.
    setImmediate(() => boss.notifyWorker(id))
    return results
  })
}

async function replace(ctx: Ctx, job: Taken, by: readonly TaskData[], afterSeconds: number): Promise<void> {
  const { name, priority } = job
  const { boss } = ctx.engine
  const fresh = by.map((data) => ({ data, priority, group: { id: groupOf(data, priority) }, startAfter: afterSeconds }))
  await ctx.database.db.transaction().execute(async (trx) => {
    const db = fromKysely(trx)
    const ended = await boss.complete(name, job, undefined, { db })
    // Not ours any more: who has it now decides.
    if ('affected' in ended && ended.affected === 0) return
    await boss.insert(name, fresh, { db })
  })
}
