import type { JobResult } from 'pg-boss'
import type { Ctx } from '../context.ts'
import type { Task } from './define-task.ts'
import { type TaskData, triesWithoutProgress } from './engine.ts'

/** A task as it was taken from its queue. */
export type TakenTask = { id: string; name: string; priority: number; retryCount: number; data: TaskData }

/** What can be done with a task besides running it. */
export type Requeue = {
  /** Completes the task and queues these in its place, in one transaction. They count as never failed. */
  replace(job: TakenTask, by: readonly TaskData[], afterSeconds: number): Promise<void>
  /** The database was not available: no reason to give a task up. */
  isDatabaseFault(error: unknown): boolean
}

/**
 * Runs what was taken from a queue and returns a result for each task. A failure is narrowed down first: tasks taken
 * together run again one by one, and a task that carries many is split. Only the part that fails three times, or takes
 * the process down three times, is quarantined (the dead letters).
 */
export async function runBatch(
  ctx: Ctx,
  task: Task,
  jobs: readonly TakenTask[],
  requeue: Requeue,
): Promise<JobResult[]> {
  const suspect = jobs.toSorted((a, b) => b.retryCount - a.retryCount)[0]
  if (suspect && suspect.retryCount > 0) return runSuspect(ctx, task, suspect, jobs, requeue)
  try {
    await task.run(
      ctx,
      jobs.map((job) => job.data),
      { again: false },
    )
    return jobs.map(completed)
  } catch (error) {
    const [only, ...others] = jobs
    if (only && others.length === 0) return [await decideFailure(ctx, task, only, error, requeue)]
    const results: JobResult[] = []
    for (const job of jobs) results.push(await runOne(ctx, task, job, requeue))
    return results
  }
}

/**
 * A task that failed before, perhaps by taking its process down, runs alone. The others go back to the queue first,
 * without a mark, and the suspect is split, so that only the part at fault is tried again and again.
 */
async function runSuspect(
  ctx: Ctx,
  task: Task,
  suspect: TakenTask,
  jobs: readonly TakenTask[],
  requeue: Requeue,
): Promise<JobResult[]> {
  const others = jobs.filter((job) => job !== suspect)
  for (const job of others) await requeue.replace(job, [job.data], 0)
  const parts = task.split?.(suspect.data) ?? []
  if (parts.length > 1) {
    await requeue.replace(suspect, parts, 0)
    return jobs.map(completed)
  }
  return [await runOne(ctx, task, suspect, requeue), ...others.map(completed)]
}

async function runOne(ctx: Ctx, task: Task, job: TakenTask, requeue: Requeue): Promise<JobResult> {
  try {
    await task.run(ctx, [job.data], { again: true })
    return completed(job)
  } catch (error) {
    return decideFailure(ctx, task, job, error, requeue)
  }
}

async function decideFailure(
  ctx: Ctx,
  task: Task,
  job: TakenTask,
  error: unknown,
  requeue: Requeue,
): Promise<JobResult> {
  const about = { task: task.name, taskId: job.id, environmentId: job.data.environmentId, tries: job.retryCount + 1 }
  const parts = task.split?.(job.data) ?? []
  if (requeue.isDatabaseFault(error) || parts.length > 1) {
    ctx.log.warn({ ...about, err: error }, 'task failed and was queued anew')
    // A second later the cause may be gone.
    await requeue.replace(job, parts.length > 1 ? parts : [job.data], 1)
    return completed(job)
  }
  if (about.tries < triesWithoutProgress) ctx.log.warn({ ...about, err: error }, 'task failed')
  else ctx.log.error({ ...about, err: error }, 'task quarantined: it failed three times without progress')
  return { id: job.id, status: 'failed', output: { message: toReason(error) } }
}

function completed({ id }: TakenTask): JobResult {
  return { id, status: 'completed' }
}

/** For operators who look at dead letters. The message does not hold the row that PostgreSQL refused. */
function toReason(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'not an Error'
}
