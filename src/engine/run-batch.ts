import type { JobResult } from 'pg-boss'
import type { Ctx } from '../context.ts'
import type { Task } from './define-task.ts'
import { type TaskData, triesWithoutProgress } from './engine.ts'

/** A task as it was taken from its queue. */
export type Taken = { id: string; name: string; priority: number; retryCount: number; data: TaskData }

/** What can be done with a task besides running it. */
export type Requeue = {
  /** In one transaction: the task is over, and these take its place, as tasks that never failed, now or a little later. */
  replace(job: Taken, by: readonly TaskData[], afterSeconds: number): Promise<void>
  /** The database went away or sent us away: nobody's fault, and no reason to give a task up. */
  isPassing(error: unknown): boolean
}

/**
 * Runs what was taken from a queue and says what became of each. Whatever fails is narrowed down first: tasks taken
 * together run again one by one, and a task that carries many is split. What then fails three times, or takes the process
 * down three times, is quarantined (the dead letters), and the others never share its fate.
 */
export async function runBatch(ctx: Ctx, task: Task, jobs: readonly Taken[], requeue: Requeue): Promise<JobResult[]> {
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
 * It failed before, perhaps by taking its process down: it runs alone. What was taken with it goes back first, without a
 * mark, and what it carries is parted, so that only the part at fault is tried again and again.
 */
async function runSuspect(
  ctx: Ctx,
  task: Task,
  suspect: Taken,
  jobs: readonly Taken[],
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

async function runOne(ctx: Ctx, task: Task, job: Taken, requeue: Requeue): Promise<JobResult> {
  try {
    await task.run(ctx, [job.data], { again: true })
    return completed(job)
  } catch (error) {
    return decideFailure(ctx, task, job, error, requeue)
  }
}

async function decideFailure(ctx: Ctx, task: Task, job: Taken, error: unknown, requeue: Requeue): Promise<JobResult> {
  const about = { task: task.name, taskId: job.id, environmentId: job.data.environmentId, tries: job.retryCount + 1 }
  const parts = task.split?.(job.data) ?? []
  if (requeue.isPassing(error) || parts.length > 1) {
    ctx.log.warn({ ...about, err: error }, 'task failed and was queued anew')
    // What made it fail has a chance to pass.
    await requeue.replace(job, parts.length > 1 ? parts : [job.data], 1)
    return completed(job)
  }
  if (about.tries < triesWithoutProgress) ctx.log.warn({ ...about, err: error }, 'task failed')
  else ctx.log.error({ ...about, err: error }, 'task quarantined: it failed three times without progress')
  return { id: job.id, status: 'failed', output: { message: toReason(error) } }
}

function completed({ id }: Taken): JobResult {
  return { id, status: 'completed' }
}

/** For the operator who looks at dead letters; the row that PostgreSQL refused is not part of a message. */
function toReason(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'not an Error'
}
