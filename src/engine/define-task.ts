import type { Ctx } from '../context.ts'

/** Lanes, the more urgent first. Each has workers that never take from a lower one. */
export const lanes = { critical: 30, transactional: 20, bulk: 10 } as const
export type Lane = keyof typeof lanes

/** One kind of queued work. Its data are ids: the rows are the truth, and running it twice does no harm. */
export type Task = {
  name: string
  /** Tasks taken at once and handed over together. */
  batchSize: number
  /** Workers of each lane in one process. */
  workers: Record<Lane, number>
  run(ctx: Ctx, tasks: readonly TaskData[]): Promise<void>
}

export type TaskData = { environmentId: string } & Record<string, unknown>

export function defineTask(task: Task): Task {
  return task
}
