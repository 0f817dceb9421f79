import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './stage.ts'

/** How often a connection was seen waiting at its commit, by what it waited for. */
export type Waits = {
  samples: number
  /** For the standby: that many can do at the same time. */
  standby: number
  /** For the one lock of NOTIFY, which a commit holds to its end: only one goes on. */
  lock: number
  /** Looks in which at least one waited for it. */
  samplesWithLock: number
}

const everyMs = 20

/** Looks on while `work` runs: at pgbench's connections, or at the product's. */
export async function sampleWaits<T>(
  stage: Stage,
  of: 'pgbench' | 'product',
  work: Promise<T>,
): Promise<{ result: T; waits: Waits }> {
  const waits: Waits = { samples: 0, standby: 0, lock: 0, samplesWithLock: 0 }
  const run = { isOver: false }
  const looking = (async () => {
    for (; !run.isOver; await sleep(everyMs)) addSample(waits, await look(stage, of))
  })()
  try {
    return { result: await work, waits }
  } finally {
    run.isOver = true
    await looking.catch(() => {})
  }
}

async function look(stage: Stage, of: 'pgbench' | 'product') {
  // Object 0 of this class is no database: it stands for the queue of NOTIFY.
  const [row] = await stage.sql<{ standby: number; lock: number }>(
    `select count(*) filter (where wait_event = 'SyncRep')::int as standby,
       count(*) filter (where exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'object'
         and l.classid = 'pg_database'::regclass and l.objid = 0 and not l.granted))::int as lock
     from pg_stat_activity a
     where datname = current_database() and usename = 'bench' and (application_name = 'pgbench') = $1
       and wait_event_type in ('IPC', 'Lock')`,
    [of === 'pgbench'],
  )
  return { standby: row?.standby ?? 0, lock: row?.lock ?? 0 }
}

function addSample(waits: Waits, { standby, lock }: { standby: number; lock: number }): void {
  waits.samples++
  waits.standby += standby
  waits.lock += lock
  if (lock > 0) waits.samplesWithLock++
}

/** 1: nobody waits for another's commit. Of 16 that all queue for one lock it is 1/16. */
export function shareNotQueued({ standby, lock }: Pick<Waits, 'standby' | 'lock'>): number {
  return standby + lock === 0 ? 1 : standby / (standby + lock)
}
