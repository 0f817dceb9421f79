import { fromKysely, type KyselyTransactionLike, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Ctx } from '../context.ts'
import { type Lane, lanes, type Task, type TaskData } from './define-task.ts'
import { type Hands, runBatch, type Taken, triesWithoutProgress } from './run-batch.ts'

export type Engine = {
  /** In the caller's transaction: the task exists exactly when what it is about does. */
  enqueue(
    db: KyselyTransactionLike,
    task: string,
    lane: Lane,
    data: readonly TaskData[],
    options?: { afterSeconds?: number },
  ): Promise<void>
  work(ctx: Ctx, tasks: readonly Task[]): Promise<void>
  stop(): Promise<void>
}

type Options = {
  url: string
  log: Logger
  tasks: readonly string[]
  supervise: boolean
  /** Makes the queues; otherwise their owner has made them (`migrate`). */
  ownsQueues: boolean
  /** Says that an error is the database's, not the task's. */
  isPassing?: (error: unknown) => boolean
}

const deadLetter = 'dead-letters'

// Explicit, because the defaults are minutes and days: a worker that died is noticed within 11 s, a task is never dropped
// for its age (a year), and done tasks leave the table within the hour.
const queueOptions = {
  partition: true,
  notify: true,
  retryLimit: triesWithoutProgress - 1,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  heartbeatSeconds: 10,
  expireInSeconds: 600,
  retentionSeconds: 366 * 24 * 3600,
  deleteAfterSeconds: 3600,
}
// Also the floor when notifications do not arrive.
const pollingSeconds = 2

export async function startEngine({ url, log, tasks, supervise, ownsQueues, isPassing }: Options): Promise<Engine> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'tidings engine',
    schema: 'pgboss',
    max: 6,
    schedule: false,
    migrate: ownsQueues,
    createSchema: ownsQueues,
    supervise,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 60,
    useListenNotify: supervise,
  })
  boss.on('error', (error) => log.error({ err: error }, 'engine'))
  await boss.start()
  if (ownsQueues) await ensureQueues(boss, tasks)

  return {
    async enqueue(db, task, lane, data, { afterSeconds } = {}) {
      if (data.length === 0) return
      const jobs = data.map((item) => ({
        data: item,
        priority: lanes[lane],
        group: { id: groupOf(item, lanes[lane]) },
        ...(afterSeconds !== undefined && { startAfter: afterSeconds }),
      }))
      await boss.insert(task, jobs, { db: fromKysely(db) })
    },

    async work(ctx, taskList) {
      for (const task of taskList) {
        for (const [lane, count] of Object.entries(task.workers) as [Lane, number][]) {
          if (count === 0) continue
          const shared = tasksAtOnce(task) !== null
          const work = (workers: number) => addWorkers(boss, ctx, task, lane, workers, isPassing ?? (() => false))
          // Of workers added together the engine wakes only the first; the others go on after a full batch, which for
          // tasks taken one by one there is not. So those are added one by one, unless they share a limit.
          if (shared) await work(count)
          else for (let n = 0; n < count; n++) await work(1)
        }
      }
    },

    stop: () => boss.stop({ graceful: true, timeout: 30_000, close: true }),
  }
}

/** One environment in one lane: its bulk does not count against what is urgent for it. */
function groupOf({ environmentId, group }: TaskData, priority: number): string {
  return `${group ?? environmentId}:${priority}`
}

/**
 * How many tasks one environment may have in hand per process and lane: half of the lowest lane's workers, filled. However
 * much it queues, another finds a worker at once. The engine counts tasks and puts back what it took too many of, so this
 * is for queues that take few at a time.
 */
function tasksAtOnce({ workers, batchSize }: Task): number | null {
  return batchSize > 1 && batchSize * 2 <= workers.bulk ? workers.bulk : null
}

async function ensureQueues(boss: PgBoss, tasks: readonly string[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map((queue) => queue.name))
  if (!known.has(deadLetter)) await boss.createQueue(deadLetter, { retentionSeconds: queueOptions.retentionSeconds })
  const { partition, ...changeable } = queueOptions
  for (const task of tasks) {
    if (known.has(task)) await boss.updateQueue(task, { ...changeable, deadLetter })
    else await boss.createQueue(task, { ...changeable, partition, deadLetter })
  }
  await boss.getDb().executeSql(vacuumOften)
}

// Every task leaves three dead rows behind it: taken, done, deleted. By default a queue of a million would be cleaned
// when a fifth of it is dead; cleaned early it stays as large as what waits in it.
const vacuumOften = `do $$
declare name text;
begin
  for name in select distinct table_name from pgboss.queue where partition order by 1 loop
    execute format('alter table pgboss.%I set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
      autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)', name);
  end loop;
end $$`

async function addWorkers(
  boss: PgBoss,
  ctx: Ctx,
  task: Task,
  lane: Lane,
  count: number,
  isPassing: Hands['isPassing'],
): Promise<void> {
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
    const results = await runBatch(ctx, task, jobs, { isPassing, replace: (...args) => replace(boss, ctx, ...args) })
    took()
    for (const { status } of results) ctx.metrics.tasks.inc({ queue: task.name, result: status })
    // There may be more: ask again at once instead of at the next poll.
    setImmediate(() => boss.notifyWorker(id))
    return results
  })
}

async function replace(
  boss: PgBoss,
  ctx: Ctx,
  job: Taken,
  by: readonly TaskData[],
  afterSeconds: number,
): Promise<void> {
  const { name, priority } = job
  const fresh = by.map((data) => ({ data, priority, group: { id: groupOf(data, priority) }, startAfter: afterSeconds }))
  await ctx.database.db.transaction().execute(async (trx) => {
    const db = fromKysely(trx)
    const ended = await boss.complete(name, job, undefined, { db })
    // Not ours any more: who has it now decides.
    if ('affected' in ended && ended.affected === 0) return
    await boss.insert(name, fresh, { db })
  })
}
