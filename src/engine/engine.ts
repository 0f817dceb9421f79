import pg from 'pg'
import { type ConstructorOptions, fromKysely, type KyselyTransactionLike, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type Lane, lanes } from './lanes.ts'
import { openSignals, type SignalLine } from './signals.ts'
import type { Taker } from './taker.ts'
import { waitAtMost } from './wait-at-most.ts'

/** `group`: tasks of one group may not occupy all workers at once; by default the environment. */
export type TaskData = { environmentId: string; group?: string; tried?: Tried } & Record<string, unknown>

/**
 * How often a task was tried in vain, by what happened. It stands in the task's data, because the engine counts every
 * claim alike. Nothing here outlives progress: what makes progress is queued as a new task.
 */
export type Tried = {
  /** It threw. */
  failed?: number
  /** A statement of it took too long, or others were in its way. */
  stalled?: number
  /** The database was not available. */
  away?: number
  /** Its process died, or it hung; without those deaths that the engine counts for the present task (`retryCount`). */
  died?: number
}

export type Engine = {
  /** In the caller's transaction: the task exists exactly when its rows do. */
  enqueue(
    db: KyselyTransactionLike,
    task: string,
    lane: Lane,
    data: readonly TaskData[],
    options?: { afterSeconds?: number },
  ): Promise<void>
  /** Queues these dead letters again, by their ids. Returns how many. */
  putBack(db: KyselyTransactionLike, ids: readonly string[]): Promise<number>
  /** Deletes a dead letter. */
  forget(db: KyselyTransactionLike, id: string): Promise<void>
  /** For work-tasks.ts. */
  boss: PgBoss
  /** Those who take tasks here, one for each queue. */
  takers: Set<Taker>
  onFault(error: unknown): void
  /** Those that have workers here. */
  queues(): string[]
  /** Something can be taken from it: as many workers look as it takes. */
  wake(queue: string): void
  /** Tasks were committed: a free worker of this process looks. If there is none, or more than one task, others are told. */
  signal(queue: string, lane: Lane, tasks?: number): void
  /** A batch of tasks ended here. */
  hasEnded(): void
  /** For some seconds no task was in hand here: whatever timers they made were seen. */
  isIdle(): boolean
  /** Finds workers that died, and cleans up. Needed often only while tasks are in hand. */
  supervise(isBusy: boolean): Promise<void>
  /** The database failed, not the task. */
  isDatabaseFault(error: unknown): boolean
  /** Waits at most this long for tasks in hand. */
  stop(withinMs?: number): Promise<void>
}

type Target = { connectionString: string; Client?: typeof pg.Client }

type Options = {
  /** How pg reaches the database. */
  target: Target
  /** The same past the pooler, if `target` leads to one. */
  direct?: Target
  log: Logger
  tasks: readonly string[]
  /** Takes tasks, so it listens for new ones. */
  worker: boolean
  /** To and from other processes; without it they find new tasks by looking. */
  line?: SignalLine
  /** Calls it when the transaction is committed; without one, at once. */
  afterCommit?: (db: object, report: () => void) => void
  /** Creates the queues here; otherwise `migrate` has created them. */
  ownsQueues: boolean
  isDatabaseFault?: (error: unknown) => boolean
  /** Replaces connections to a database that is gone. */
  watchPool?: (pool: pg.Pool, silentMs: number) => void
}

const deadLetter = 'dead-letters'
// Long enough that whoever tries something out meets a service that is awake.
const idleAfterMs = 10_000
// What it does while nothing is in hand, deleting done tasks above all, has time.
const idleSuperviseMs = 120_000
// The slowest is the hourly cleaning of a large queue.
const longestStatementMs = 60_000

export const expireInSeconds = 600

// Explicit, because the defaults are minutes and days: a worker that died is noticed within 11 s, a task is never dropped
// for its age (a year), and done tasks leave the table within the hour. A process that died says nothing about what it
// had in hand, so a task comes back as often as it takes; but the longer the more often (1 s, 2 s, … an hour), so that
// one that takes its process down each time does not take the service down. Only run-batch.ts gives a task up.
const queueOptions = {
  partition: true,
  // Else every transaction that adds a task would take a lock of the whole cluster over its commit: see signals.ts.
  notify: false,
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 3600,
  heartbeatSeconds: 10,
  expireInSeconds,
  retentionSeconds: 366 * 24 * 3600,
  deleteAfterSeconds: 3600,
}

const bossOptions = {
  application_name: 'tidings engine',
  schema: 'pgboss',
  schedule: false,
  // By its own clock it would do so every second, busy or not.
  supervise: false,
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  maintenanceIntervalSeconds: 60,
}

export async function startEngine({
  target,
  direct,
  log,
  tasks,
  worker,
  line,
  afterCommit = (_db, report) => report(),
  ownsQueues,
  isDatabaseFault,
  watchPool,
}: Options): Promise<Engine> {
  const onFault = (error: unknown) => log.error({ err: toError(error) }, 'engine')
  const open = async (options: ConstructorOptions) => {
    const opened = new PgBoss({ ...bossOptions, ...options })
    opened.on('error', onFault)
    await opened.start()
    watchPool?.(poolOf(opened), longestStatementMs)
    return opened
  }
  const owns = { migrate: ownsQueues, createSchema: ownsQueues }
  // Through a pooler the role's statements end after 30 s. Queues are made and cleaned past it, where they may last.
  const pastPooler = { ...direct, max: 2, options: '-c statement_timeout=0' }
  const keeper = await open({ ...(direct ? pastPooler : { ...target, max: 6 }), ...owns })
  if (ownsQueues) await ensureQueues(keeper, tasks)
  const close = (opened: PgBoss) => opened.stop({ graceful: false, close: true })
  const boss = !direct
    ? keeper
    : await open({ ...target, max: 6, migrate: false, createSchema: false }).catch(async (error) => {
        await close(keeper)
        throw error
      })
  let supervisedAt = -idleSuperviseMs
  let wasBusy = false
  let endedAt = performance.now()
  const takers = new Set<Taker>()
  const wake = (queue: string, lane?: Lane) => [...takers].some((it) => it.queue === queue && it.wake(lane))
  const queues = () => [...new Set([...takers].flatMap((it) => (it.isTaking() ? it.queue : [])))]
  const wakeAll = () => {
    for (const queue of queues()) wake(queue)
  }
  const signals = line && openSignals({ line, log, ...(worker && { onSignal: wake, onBegin: wakeAll }) })

  function signal(queue: string, lane: Lane, tasks = 1): void {
    // Who has a free worker takes one without asking anybody. If he dies first, others find it by looking.
    if (!wake(queue, lane) || tasks > 1) signals?.tell(queue, lane)
  }

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
      if (!afterSeconds) afterCommit(db, () => signal(task, lane, data.length))
    },

    putBack: async (db, ids) =>
      ids.length === 0 ? 0 : boss.redrive(deadLetter, { ids: [...ids], limit: ids.length, db: fromKysely(db) }),
    async forget(db, id) {
      await boss.deleteJob(deadLetter, id, { db: fromKysely(db) })
    },
    boss,
    takers,
    onFault,
    queues,
    wake: (queue) => void wake(queue),
    signal,
    hasEnded() {
      endedAt = performance.now()
    },
    isIdle: () => performance.now() - endedAt > idleAfterMs && [...takers].every((it) => it.inHand().length === 0),
    async supervise(isBusy) {
      // Once more after the last task has ended, for the counts it keeps.
      const isNeeded = isBusy || wasBusy || performance.now() - supervisedAt > idleSuperviseMs
      wasBusy = isBusy
      if (!isNeeded) return
      await keeper.supervise()
      supervisedAt = performance.now()
    },
    isDatabaseFault: isDatabaseFault ?? (() => false),
    async stop(withinMs = 30_000) {
      await waitAtMost(withinMs, Promise.all([...takers].map((it) => it.stop())))
      // They go on by themselves, and what they write finds the task another's.
      for (const { queue, inHand } of takers) {
        if (inHand().length > 0)
          await boss.fail(queue, [...inHand()], { message: 'its process stopped' }).catch(onFault)
      }
      await signals?.close()
      await close(boss)
      if (keeper !== boss) await close(keeper)
    },
  }
}

function poolOf(boss: PgBoss): pg.Pool {
  const db = boss.getDb()
  if ('pool' in db && db.pool instanceof pg.Pool) return db.pool
  throw new Error('pg-boss keeps its connections elsewhere than it did')
}

/** Of a worker's fault pg-boss tells a copy, which the log would not take for an error. */
function toError(error: unknown): Error {
  if (error instanceof Error) return error
  const { message, code, stack } = error as { message: string; code?: unknown; stack?: string }
  return Object.assign(new Error(message), { code, stack })
}

/** Per lane, so that an environment's bulk does not count against its urgent tasks. */
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

// Every task leaves three dead rows: taken, done, deleted. By default a queue of a million is vacuumed when a fifth of
// it is dead; vacuumed earlier, it stays as small as what waits in it.
const vacuumOften = `do $$
declare name text;
begin
  for name in select distinct table_name from pgboss.queue where partition order by 1 loop
    execute format('alter table pgboss.%I set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
      autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)', name);
  end loop;
end $$`
