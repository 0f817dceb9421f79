import type { Ctx } from '../context.ts'
import { EnvironmentHeld } from '../errors.ts'
import { cutText } from '../lib/one-line.ts'
import { EncryptionKeyUnavailable } from '../lib/seal.ts'
import type { How, Task } from './define-task.ts'
import type { TaskData, Tried } from './engine.ts'

/** A task as it was taken from its queue. */
export type TakenTask = { id: string; name: string; priority: number; retryCount: number; data: TaskData }

/** Completes the task and queues these in its place. */
export type Replacement = { job: TakenTask; by: readonly TaskData[] }

/** What can be done with a task besides running it. */
export type Requeue = {
  /** All in one transaction. */
  replace(replacements: readonly Replacement[], afterSeconds: number): Promise<void>
  /** The database was not available: no reason to give a task up. */
  isDatabaseFault(error: unknown): boolean
}

/** `result`: for the metrics. To the engine, a task that was replaced is completed. */
export type Ended = { id: string; result: 'completed' | 'failed' } & (
  | { status: 'completed' }
  | { status: 'deadletter'; output: { message: string } }
)

// A task of an environment that is being moved is looked at again after this long.
export const heldSeconds = 1

// Tries without progress after which a task is quarantined. An outage is never counted against a task. A statement that
// takes too long is mostly somebody else's fault too (a lock, a busy disk): its ten tries take four minutes and more.
const mostTries = { failed: 3, stalled: 10, away: Number.POSITIVE_INFINITY }
const longestWaitSeconds = { failed: 60, stalled: 60, away: 30 }
// Another worker may have the encryption key that this one lacks, and a restart may bring it.
const longestWaitForKeySeconds = 10
// A database that goes away whenever a task is run may be taken down by it: then it is narrowed down like others.
const partAfterOutages = 3

/**
 * Runs what was taken from a queue and returns a result for each task. A failure is narrowed down first: tasks taken
 * together run again one by one, and a task that carries many is split. Only the part that throws three times is
 * quarantined (the dead letters). One that takes its process down is not: it comes again, alone, after a growing while.
 */
export async function runBatch(
  ctx: Ctx,
  task: Task,
  jobs: readonly TakenTask[],
  requeue: Requeue,
  freeWorker?: How['freeWorker'],
): Promise<Ended[]> {
  const suspect = jobs.toSorted((a, b) => suspicionOf(b) - suspicionOf(a))[0]
  if (suspect && suspicionOf(suspect) > 0) return runSuspect(ctx, task, suspect, jobs, requeue, freeWorker)
  try {
    await task.run(
      ctx,
      jobs.map((job) => job.data),
      { again: false, ...(freeWorker && { freeWorker }) },
    )
    return jobs.map(completed)
  } catch (error) {
    const ended: Ended[] = []
    // A task that ran alone has its result. An outage of the database is the same for all of them.
    const isClear = jobs.length === 1 || (kindOf(error, requeue) === 'away' && !concernsOneEnvironment(error))
    for (const job of jobs) {
      ended.push(isClear ? await decideFailure(ctx, task, job, error, requeue) : await runOne(ctx, task, job, requeue))
    }
    return ended
  }
}

/** Whether other tasks of the same batch may succeed, although this error counts like an outage of the database. */
function concernsOneEnvironment(error: unknown): boolean {
  return error instanceof EnvironmentHeld || error instanceof EncryptionKeyUnavailable
}

/** How often its process died, with it in hand. */
function deathsOf({ retryCount, data }: TakenTask): number {
  return retryCount + (data.tried?.died ?? 0)
}

function suspicionOf(job: TakenTask): number {
  const { failed = 0, stalled = 0, away = 0 } = job.data.tried ?? {}
  return deathsOf(job) + failed + stalled + away
}

/**
 * A task that was tried in vain before, perhaps by taking its process down, runs alone. First the others go back to the
 * queue as they are and the suspect is split, in one transaction: it is parted before it can take a second process down.
 */
async function runSuspect(
  ctx: Ctx,
  task: Task,
  suspect: TakenTask,
  jobs: readonly TakenTask[],
  requeue: Requeue,
  freeWorker?: How['freeWorker'],
): Promise<Ended[]> {
  const others = jobs.filter((job) => job !== suspect)
  const back = others.map(untouched)
  const parts = partsOf(task, suspect)
  if (parts.length > 1) {
    // After one death each part is a task like any other. After a second they run alone, too.
    const tried = suspicionOf(suspect) > 1 ? triedOf(suspect) : {}
    await requeue.replace([{ job: suspect, by: parts.map((part) => withTried(part, tried)) }, ...back], 0)
    return jobs.map(completed)
  }
  if (back.length > 0) await requeue.replace(back, 0)
  return [await runOne(ctx, task, suspect, requeue, freeWorker), ...others.map(completed)]
}

async function runOne(
  ctx: Ctx,
  task: Task,
  job: TakenTask,
  requeue: Requeue,
  freeWorker?: How['freeWorker'],
): Promise<Ended> {
  try {
    await task.run(ctx, [withTried(job.data, {})], { again: true, ...(freeWorker && { freeWorker }) })
    return completed(job)
  } catch (error) {
    return decideFailure(ctx, task, job, error, requeue)
  }
}

async function decideFailure(ctx: Ctx, task: Task, job: TakenTask, error: unknown, requeue: Requeue): Promise<Ended> {
  if (error instanceof EnvironmentHeld) return afterHold(job, error, requeue)
  const kind = kindOf(error, requeue)
  const before = triedOf(job)
  const tries = (before[kind] ?? 0) + 1
  const about = { task: task.name, taskId: job.id, environmentId: job.data.environmentId, kind, tries }
  const longestSeconds = error instanceof EncryptionKeyUnavailable ? longestWaitForKeySeconds : longestWaitSeconds[kind]
  const waitSeconds = Math.min(2 ** (tries - 1), longestSeconds)
  const parts = kind === 'away' && tries < partAfterOutages ? [] : partsOf(task, job)
  if (parts.length > 1) {
    ctx.log.warn({ ...about, err: error }, 'task failed and was split')
    const tried = kind === 'away' ? { away: tries } : {}
    const by = parts.map((part) => withTried(part, tried))
    await requeue.replace([{ job, by }], waitSeconds)
    return failed(job)
  }
  if (tries < mostTries[kind]) {
    ctx.log.warn({ ...about, err: error }, 'task failed and was queued anew')
    await requeue.replace([{ job, by: [withTried(job.data, { ...before, [kind]: tries })] }], waitSeconds)
    return failed(job)
  }
  ctx.log.error({ ...about, err: error }, `task quarantined: tried ${tries} times without progress`)
  return { id: job.id, status: 'deadletter', output: { message: toReason(error) }, result: 'failed' }
}

/** Its environment was frozen meanwhile: no try is counted. If it is gone, so is the task. */
async function afterHold(job: TakenTask, { held }: EnvironmentHeld, requeue: Requeue): Promise<Ended> {
  if (held.state !== 'departed') await requeue.replace([untouched(job)], heldSeconds)
  return completed(job)
}

// Canceled for its time, deadlock, serialization failure, lock not available.
const stalls = new Set<unknown>(['57014', '40P01', '40001', '55P03'])

function kindOf(error: unknown, { isDatabaseFault }: Requeue): 'failed' | 'stalled' | 'away' {
  // First: a statement that takes too long may count as a database that is away elsewhere.
  if (error instanceof Error && 'code' in error && stalls.has(error.code)) return 'stalled'
  return isDatabaseFault(error) ? 'away' : 'failed'
}

function partsOf(task: Task, { data }: TakenTask): TaskData[] {
  return task.split?.(withTried(data, {})) ?? []
}

/** Back to the queue as it is: nothing was tried. */
export function untouched(job: TakenTask): Replacement {
  return { job, by: [withTried(job.data, triedOf(job))] }
}

/** For the task that takes its place, of which the engine will count no claim yet. */
function triedOf(job: TakenTask): Tried {
  const died = deathsOf(job)
  return { ...job.data.tried, ...(died > 0 && { died }) }
}

function withTried({ tried: _before, ...data }: TaskData, tried: Tried): TaskData {
  return Object.keys(tried).length > 0 ? { ...data, tried } : data
}

export function completed({ id }: TakenTask): Ended {
  return { id, status: 'completed', result: 'completed' }
}

/** It was replaced. */
function failed({ id }: TakenTask): Ended {
  return { id, status: 'completed', result: 'failed' }
}

/** For operators who look at dead letters. The message does not hold the row that PostgreSQL refused. */
function toReason(error: unknown): string {
  return error instanceof Error ? cutText(`${error.name}: ${error.message}`, 300) : 'not an Error'
}
