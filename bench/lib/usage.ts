import { readdirSync, readFileSync } from 'node:fs'
import type { Stage } from './stage.ts'

/** What was spent until now, to be subtracted from what is spent later. */
export type Usage = {
  apiCpuMs: number
  workerCpuMs: number
  postgresCpuMs: number
  walBytes: number
  /** Statements of the product, also `begin` and `commit`; null where PostgreSQL does not count them. */
  statements: number | null
  transactions: number
}

// The kernel counts processor time in hundredths of a second, on every Linux there is.
const tickMs = 10

export async function readUsage(stage: Stage): Promise<Usage> {
  const { cluster, api, worker } = stage
  const [row] = await stage.sql<{ wal: string; transactions: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, xact_commit as transactions
     from pg_stat_database where datname = current_database()`,
  )
  return {
    apiCpuMs: cpuOf(api.pid).own,
    workerCpuMs: cpuOf(worker.pid).own,
    postgresCpuMs: clusterCpu(cluster.pid),
    walBytes: Number(row?.wal),
    transactions: Number(row?.transactions),
    statements: cluster.hasStatements ? await countStatements(stage) : null,
  }
}

/** Those of the nodes: the bench looks on as somebody else. */
async function countStatements(stage: Stage): Promise<number> {
  const [row] = await stage.sql<{ calls: string }>(
    `select coalesce(sum(calls), 0) as calls from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname = 'bench' and s.dbid = (select oid from pg_database where datname = current_database())`,
  )
  return Number(row?.calls)
}

/** The postmaster, the processes it has and those it had. */
function clusterCpu(postmaster: number): number {
  const { own, ofEnded } = cpuOf(postmaster)
  const children = pids()
    .map(cpuOf)
    .filter((it) => it.parent === postmaster)
  return own + ofEnded + children.reduce((sum, child) => sum + child.own, 0)
}

function pids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
  } catch {
    return []
  }
}

/** Of all threads of a process; 0 where there is no /proc. */
function cpuOf(pid: number): { parent: number; own: number; ofEnded: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold anything, also blanks and brackets.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [utime = 0, stime = 0, childUtime = 0, childStime = 0] = fields.slice(11, 15)
    return { parent: fields[1] ?? 0, own: (utime + stime) * tickMs, ofEnded: (childUtime + childStime) * tickMs }
  } catch {
    return { parent: 0, own: 0, ofEnded: 0 }
  }
}
