import { fromKysely, type KyselyTransactionLike, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Ctx } from '../context.ts'
import { type Lane, lanes, type Task, type TaskData } from './define-task.ts'

export type Engine = {
  /** In the caller's transaction: the task exists exactly when what it is about does. */
  enqueue(db: KyselyTransactionLike, task: string, lane: Lane, data: readonly TaskData[]): Promise<void>
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
}

const deadLetter = 'dead-letters'

// Explicit, because the defaults are minutes and days: a worker that died is noticed within 11 s, a task is never dropped
// for its age (a year), and done tasks leave the table within the hour.
const queueOptions = {
  partition: true,
  notify: true,
  retryLimit: 10,
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

export async function startEngine({ url, log, tasks, supervise, ownsQueues }: Options): Promise<Engine> {
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
    async enqueue(db, task, lane, data) {
      if (data.length === 0) return
      const jobs = data.map((item) => ({ data: item, priority: lanes[lane], group: { id: item.environmentId } }))
      await boss.insert(task, jobs, { db: fromKysely(db) })
    },

    async work(ctx, taskList) {
      for (const task of taskList) {
        for (const [lane, count] of Object.entries(task.workers) as [Lane, number][]) {
          for (let n = 0; n < count; n++) await addWorker(boss, ctx, task, lane)
        }
      }
    },

    stop: () => boss.stop({ graceful: true, timeout: 30_000, close: true }),
  }
}

async function ensureQueues(boss: PgBoss, tasks: readonly string[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map((queue) => queue.name))
  if (!known.has(deadLetter)) await boss.createQueue(deadLetter, { retentionSeconds: queueOptions.retentionSeconds })
  for (const task of tasks) {
    if (!known.has(task)) await boss.createQueue(task, { ...queueOptions, deadLetter })
  }
}

async function addWorker(boss: PgBoss, ctx: Ctx, task: Task, lane: Lane): Promise<void> {
  const options = {
    batchSize: task.batchSize,
    minPriority: lanes[lane],
    pollingIntervalSeconds: pollingSeconds,
    notifyPollingIntervalSeconds: pollingSeconds,
  }
  const id = await boss.work<TaskData>(task.name, options, async (jobs) => {
    await task.run(
      ctx,
      jobs.map((job) => job.data),
    )
    // There may be more: ask again at once instead of at the next poll.
    setImmediate(() => boss.notifyWorker(id))
  })
}
