import { setTimeout as sleep } from 'node:timers/promises'
import { fromKysely, type JobResult } from 'pg-boss'
import type { Ctx } from '../context.ts'
import type { Task } from './define-task.ts'
import { groupOf, type TaskData } from './engine.ts'
import { type Lane, lanes } from './lanes.ts'
import { type Replacement, runBatch, type TakenTask, untouched } from './run-batch.ts'

// Workers are told of new tasks by the database, and of those whose time has come by watch-queues.ts.
const pollingSeconds = 300
// How long a task that could not be put back waits for the database.
const patienceMs = 60_000

/** Starts the workers that each task asks for; they run until the engine stops. */
export async function workTasks(ctx: Ctx, tasks: readonly Task[]): Promise<void> {
  for (const task of tasks) {
    for (const [lane, count] of Object.entries(task.workers) as [Lane, number][]) {
      if (count === 0) continue
      // Of workers added together pg-boss wakes only the first; the others wake after a full batch. So workers are
      // added one by one, unless they share a limit.
      if (tasksAtOnce(task) !== null) await addWorkers(ctx, task, lane, count)
      else for (let n = 0; n < count; n++) await addWorkers(ctx, task, lane, 1)
    }
  }
}

/**
 * How many tasks of one environment a process may work on per lane, so that another environment finds a worker at once:
 * at most half of the bulk workers, with full batches. pg-boss puts back what it took beyond that, so this is only for
 * small batches.
 */
function tasksAtOnce({ workers, batchSize }: Task): number | null {
  return batchSize > 1 && batchSize * 2 <= workers.bulk ? workers.bulk : null
}

async function addWorkers(ctx: Ctx, task: Task, lane: Lane, count: number): Promise<void> {
  const { boss, isDatabaseFault } = ctx.engine
  const atOnce = tasksAtOnce(task)
  const options = {
    batchSize: task.batchSize,
    localConcurrency: count,
    // Of the three lanes' settings pg-boss keeps the last one, the lowest lane's.
    ...(atOnce !== null && { localGroupConcurrency: Math.min(atOnce, count) }),
    burstWhenBatchFull: true,
    minPriority: lanes[lane],
    pollingIntervalSeconds: pollingSeconds,
    notifyPollingIntervalSeconds: pollingSeconds,
    perJobResults: true,
    includeMetadata: true,
  } as const
  const id = await boss.work<TaskData, unknown, typeof options>(task.name, options, async (jobs) => {
    if (ctx.drain.begun) return giveBack(ctx, jobs)
    const took = ctx.metrics.taskSeconds.startTimer({ queue: task.name })
    const over = ctx.loopWatch.begin(() => ({
      task: task.name,
      environmentIds: [...new Set(jobs.map((job) => job.data.environmentId))],
    }))
    const ended = await runBatch(ctx, task, jobs, {
      isDatabaseFault,
      replace: (...args) => whenAvailable(() => replace(ctx, ...args), isDatabaseFault),
    }).finally(over)
    took()
    ctx.engine.hasEnded()
    for (const { result } of ended) ctx.metrics.tasks.inc({ queue: task.name, result })
    // There may be more: ask again at once instead of at the next poll.
    setImmediate(() => boss.notifyWorker(id))
    return ended
  })
}

/** Takes no more from the queues; what was taken is finished. */
export async function stopTaking({ engine: { boss } }: Ctx, tasks: readonly Task[]): Promise<void> {
  await Promise.all(tasks.map(({ name }) => boss.offWork(name, { wait: false })))
}

/** Taken while the process began to stop: for others, at once, and not as a failure. */
async function giveBack(ctx: Ctx, jobs: readonly TakenTask[]): Promise<JobResult[]> {
  await replace(ctx, jobs.map(untouched), 0)
  return jobs.map(({ id }) => ({ id, status: 'completed' }))
}

async function replace(ctx: Ctx, replacements: readonly Replacement[], afterSeconds: number): Promise<void> {
  const { boss } = ctx.engine
  await ctx.database.db.transaction().execute(async (trx) => {
    const db = fromKysely(trx)
    for (const { job, by } of replacements) {
      const ended = await boss.complete(job.name, job, undefined, { db })
      // Another worker has it now, and decides.
      if ('affected' in ended && ended.affected === 0) continue
      await boss.insert(
        job.name,
        by.map((data) => toFresh(job, data, afterSeconds)),
        { db },
      )
    }
  })
}

/** The engine counts the deaths of a task from zero: its wait begins where the one before left off. */
function toFresh({ priority }: TakenTask, data: TaskData, startAfter: number) {
  const died = data.tried?.died ?? 0
  const retryDelay = 2 ** Math.min(died, 12)
  return { data, priority, group: { id: groupOf(data, priority) }, startAfter, ...(died > 0 && { retryDelay }) }
}

/**
 * If the database is away just now, waits for it: the task then goes back as it is, instead of being found without its
 * worker, which looks like a death. If that was noticed first, nothing is replaced.
 */
async function whenAvailable(work: () => Promise<void>, isDatabaseFault: (error: unknown) => boolean): Promise<void> {
  for (const until = performance.now() + patienceMs; ; await sleep(500)) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseFault(error) || performance.now() > until) throw error
    }
  }
}
