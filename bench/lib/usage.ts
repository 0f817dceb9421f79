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
  /** Only while PostgreSQL tracks it: see `withPlanning`. */
  planMs: number
  transactions: number
}

// The kernel counts processor time in hundredths of a second, on every Linux there is.
const tickMs = 10

export async function readUsage(stage: Stage): Promise<Usage> {
  const { cluster, api, worker } = stage
  const [row] = await stage.sql<{ wal: string; transactions: string; observers: number[] }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, xact_commit as transactions,
       array(select pid from pg_stat_activity where usename = 'observer') as observers
     from pg_stat_database where datname = current_database()`,
  )
  const counted = cluster.hasStatements ? await countStatements(stage) : { calls: null, planMs: 0 }
  return {
    apiCpuMs: cpuOf(api.pid).own,
    workerCpuMs: cpuOf(worker.pid).own,
    postgresCpuMs: clusterCpu(cluster.pid, row?.observers ?? []),
    walBytes: Number(row?.wal),
    transactions: Number(row?.transactions),
    statements: counted.calls,
    planMs: counted.planMs,
  }
}

/** What was spent from one moment to the other. */
export function spentBetween(before: Usage, after: Usage): Usage {
  return {
    apiCpuMs: after.apiCpuMs - before.apiCpuMs,
    workerCpuMs: after.workerCpuMs - before.workerCpuMs,
    postgresCpuMs: after.postgresCpuMs - before.postgresCpuMs,
    walBytes: after.walBytes - before.walBytes,
    transactions: after.transactions - before.transactions,
    statements: before.statements === null || after.statements === null ? null : after.statements - before.statements,
    planMs: after.planMs - before.planMs,
  }
}

/** Those of the nodes: the bench looks on as somebody else. */
async function countStatements(stage: Stage): Promise<{ calls: number; planMs: number }> {
  const [row] = await stage.sql<{ calls: string; plan: number }>(
    `select coalesce(sum(calls), 0) as calls, coalesce(sum(total_plan_time), 0)::float8 as plan
     from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname = 'bench' and s.dbid = (select oid from pg_database where datname = current_database())`,
  )
  return { calls: Number(row?.calls), planMs: row?.plan ?? 0 }
}

/** The postmaster, the processes it has and those it had, without those that serve who looks on. */
function clusterCpu(postmaster: number, observers: readonly number[]): number {
  const { own, ofEnded } = cpuOf(postmaster)
  const children = pids()
    .filter((pid) => !observers.includes(pid))
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
