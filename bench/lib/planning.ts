import type { Cluster } from './cluster.ts'
import { changeSettings } from './settings.ts'

const tracked = { 'pg_stat_statements.track_planning': 'on' }

/** Counts how long PostgreSQL plans. It is off for the other series: many connections at once wait for that counter. */
export async function withPlanning<T>(cluster: Cluster, work: () => Promise<T>): Promise<T> {
  if (!cluster.hasStatements) return work()
  const undo = await changeSettings(cluster, tracked)
  try {
    return await work()
  } finally {
    await undo()
  }
}
