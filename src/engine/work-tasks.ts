import { setTimeout as sleep } from 'node:timers/promises'
import { fromKysely } from 'pg-boss'
import type { Ctx } from '../context.ts'
import type { Task } from './define-task.ts'
import { expireInSeconds, groupOf, type TaskData } from './engine.ts'
import { laneOfPriority } from './lanes.ts'
import {
  completed,
  type Ended,
  heldSeconds,
  type Replacement,
  type Requeue,
  runBatch,
  type TakenTask,
  untouched,
} from './run-batch.ts'
import { takeTasks } from './take-tasks.ts'
import { waitAtMost } from './wait-at-most.ts'

// A task without a sign of life for twice as long is taken for dead.
const heartbeatMs = 5_000
// How long a task that could not be put back waits for the database.
const patienceMs = 60_000

/** Starts the workers that each task asks for; they run until the engine stops. */
export async function workTasks(ctx: Ctx, tasks: readonly Task[]): Promise<void> {
  const { boss, onFault } = ctx.engine
  for (const task of tasks) {
    const complete = together((jobs: TakenTask[]) => boss.complete(task.name, jobs))
    const touch = together((jobs: TakenTask[]) => boss.touch(task.name, jobs).catch(onFault))
    const taker = takeTasks({
      task,
      claim: (how) => boss.fetch<TaskData>(task.name, { ...how, includeMetadata: true }),
      work: (jobs, freeWorker) => work(ctx, task, jobs, { complete, touch, freeWorker }).catch(onFault),
      groupOf: ({ data, priority }) => groupOf(data, priority),
      ...(task.isFull && { isFull: ({ data }: TakenTask) => task.isFull?.(ctx, data) ?? false }),
      onFault,
    })
    ctx.engine.takers.add(taker)
    taker.wake()
  }
}

/** Takes no more from the queues; what was taken is finished. */
export function stopTaking({ engine: { takers } }: Ctx, tasks: readonly Task[]): void {
  const names = new Set(tasks.map((task) => task.name))
  for (const taker of takers) if (names.has(taker.queue)) void taker.stop().then(() => takers.delete(taker))
}

type Means = {
  complete(jobs: TakenTask[]): Promise<unknown>
  /** Never fails. */
  touch(jobs: TakenTask[]): Promise<unknown>
  freeWorker: () => void
}

/** Runs them and says in the queue how they ended. What fails here is found by its heartbeat, as if we had died. */
async function work(ctx: Ctx, task: Task, jobs: TakenTask[], means: Means): Promise<void> {
  const { boss } = ctx.engine
  const heartbeat = setInterval(() => void means.touch(jobs), heartbeatMs)
  try {
    const running = ctx.drain.begun ? giveBack(ctx, jobs) : run(ctx, task, jobs, means)
    const isOver = await waitAtMost(expireInSeconds * 1000, running)
    if (!isOver) throw new Error(`a task took longer than ${expireInSeconds} s`)
    await settle(ctx, jobs, await running, means)
  } catch (error) {
    await boss.fail(task.name, jobs, error instanceof Error ? error : undefined)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

async function run(ctx: Ctx, task: Task, jobs: TakenTask[], { freeWorker }: Means): Promise<Ended[]> {
  const { isDatabaseFault } = ctx.engine
  const took = ctx.metrics.taskSeconds.startTimer({ queue: task.name })
  const over = ctx.loopWatch.begin(() => ({
    task: task.name,
    environmentIds: [...new Set(jobs.map((job) => job.data.environmentId))],
  }))
  const requeue: Requeue = {
    isDatabaseFault,
    replace: (...args) => whenAvailable(() => replace(ctx, ...args), isDatabaseFault),
  }
  const ended = await runActive(ctx, task, jobs, requeue, freeWorker).finally(over)
  took()
  ctx.engine.hasEnded()
  for (const { result } of ended) ctx.metrics.tasks.inc({ queue: task.name, result })
  return ended
}

/**
 * Those whose environment is being moved go back as they are. What departed left its tasks behind: they are done where it
 * lives now.
 */
async function runActive(
  ctx: Ctx,
  task: Task,
  jobs: readonly TakenTask[],
  requeue: Requeue,
  freeWorker: () => void,
): Promise<Ended[]> {
  const { active = [], held = [], departed = [] } = await byState(ctx, jobs)
  if (held.length > 0) await requeue.replace(held.map(untouched), heldSeconds)
  const ended = active.length > 0 ? await runBatch(ctx, task, active, requeue, freeWorker) : []
  return [...ended, ...[...held, ...departed].map(completed)]
}

async function byState({ database: { held } }: Ctx, jobs: readonly TakenTask[]) {
  const states = await Promise.all(jobs.map(({ data }) => held.find(data.environmentId)))
  return Object.groupBy(jobs, (_job, n) => {
    const state = states[n]?.state ?? 'active'
    return state === 'active' || state === 'departed' ? state : 'held'
  })
}

/** Taken while the process began to stop: for others, at once, and not as a failure. */
async function giveBack(ctx: Ctx, jobs: readonly TakenTask[]): Promise<Ended[]> {
  await replace(ctx, jobs.map(untouched), 0)
  return jobs.map(completed)
}

async function settle(
  { engine: { boss } }: Ctx,
  jobs: readonly TakenTask[],
  ended: readonly Ended[],
  { complete }: Means,
): Promise<void> {
  const quarantined = new Map(ended.flatMap((it) => (it.status === 'deadletter' ? [[it.id, it.output]] : [])))
  const done = jobs.filter(({ id }) => !quarantined.has(id))
  if (done.length > 0) await complete(done)
  for (const job of jobs.filter(({ id }) => quarantined.has(id))) {
    // A task that has no try left becomes a dead letter when it fails.
    await boss.getDb().executeSql(
      `update pgboss.job set retry_limit = retry_count
       where name = $1 and id = $2 and retry_count = $3 and state = 'active'`,
      [job.name, job.id, job.retryCount],
    )
    await boss.fail(job.name, job, quarantined.get(job.id))
  }
}

/** While one call is under way the next ones gather, and go together. */
function together<T>(call: (items: T[]) => Promise<unknown>): (items: readonly T[]) => Promise<unknown> {
  let underWay: Promise<unknown> = Promise.resolve()
  let gathered: T[] = []
  let next: Promise<unknown> | undefined
  const begin = () => {
    const items = gathered
    gathered = []
    next = undefined
    return call(items)
  }
  return (items) => {
    gathered.push(...items)
    next ??= underWay = underWay.then(begin, begin)
    return next
  }
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
  if (afterSeconds > 0) return
  for (const { job } of replacements) ctx.engine.signal(job.name, laneOfPriority(job.priority))
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
