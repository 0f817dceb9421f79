import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './stage.ts'

/** Of all queues together. */
export type Tables = { bytes: number; dead: number; live: number }
export type Sample = Tables & { seconds: number }

export async function readTables(stage: Stage): Promise<Tables> {
  const [row] = await stage.sql<{ bytes: string; dead: string; live: string }>(
    `select sum(pg_total_relation_size(relid)) as bytes, sum(n_dead_tup) as dead, sum(n_live_tup) as live
     from pg_stat_user_tables where schemaname = 'pgboss'`,
  )
  return { bytes: Number(row?.bytes), dead: Number(row?.dead), live: Number(row?.live) }
}

/** Looks on at intervals, until it is stopped. */
export function watchTables(stage: Stage, everyMs: number): { samples: Sample[]; stop(): Promise<void> } {
  const [samples, began]: [Sample[], number] = [[], performance.now()]
  const ending = new AbortController()
  const looking = (async () => {
    while (!ending.signal.aborted) {
      const seconds = (performance.now() - began) / 1000
      samples.push({ seconds, ...(await readTables(stage)) })
      await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => {})
    }
  })()
  // Whoever stops it hears of it.
  looking.catch(() => {})
  return {
    samples,
    async stop() {
      ending.abort()
      await looking
    },
  }
}
