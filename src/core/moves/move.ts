import type { MovedTable } from '../../store/moves/moved-tables.ts'
import type { Cell } from './cells.ts'
import type { Progress } from './progress.ts'

/** One move, for as long as a mover works on it. */
export type Move = {
  environmentId: string
  source: Cell
  target: Cell
  /** In the source, before it departs. */
  generation: number
  tables: readonly MovedTable[]
  /** Tables of history, in weekly partitions. */
  partitioned: ReadonlySet<string>
  progress: Progress
  /** How long each part took, in milliseconds. */
  times: Record<string, number>
  /** When requests were held, on the monotonic clock. */
  heldFrom?: number
  /** The one that it has in its new cell, once it has departed. */
  newGeneration?: number
}

/** Measures `work`, adding to what `part` took before. */
export async function timed<T>({ times }: Pick<Move, 'times'>, part: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await work()
  } finally {
    times[part] = Math.round((times[part] ?? 0) + performance.now() - began)
  }
}
