import { fromKysely, type KyselyTransactionLike, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type Lane, lanes } from './lanes.ts'

/** `group`: what may not hold all workers at once; the environment unless said. */
export type TaskData = { environmentId: string; group?: string } & Record<string, unknown>

/** A task that ends badly this often has made no progress: one that makes progress is queued anew each time. */
export const triesWithoutProgress = 3

export type Engine = {
  /** In the caller's transaction: the task exists exactly when what it is about does. */
  enqueue(
    db: KyselyTransactionLike,
    task: string,
    lane: Lane,
    data: readonly TaskData[],
    options?: { afterSeconds?: number },
  ): Promise<void>
  /** For whoever works on the queues (work-tasks.ts). */
  boss: PgBoss
  /** Says that an error is the database's, not the task's. */
  isPassing(error: unknown): boolean
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

    boss,
    isPassing: isPassing ?? (() => false),
    stop: () => boss.stop({ graceful: true, timeout: 30_000, close: true }),
  }
}

/** One environment in one lane: its bulk does not count against what is urgent for it. */
export function groupOf({ environmentId, group }: TaskData, priority: number): string {
  return `${group ?? environmentId}:${priority}`
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
