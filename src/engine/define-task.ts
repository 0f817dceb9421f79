import type { Ctx } from '../context.ts'

/** Lanes, the more urgent first. Each has workers that never take from a lower one. */
export const lanes = { critical: 30, transactional: 20, bulk: 10 } as const
export type Lane = keyof typeof lanes

export function laneOfPriority(priority: number | null): Lane {
  if (priority === lanes.critical) return 'critical'
  return priority === lanes.transactional ? 'transactional' : 'bulk'
}

/** One kind of queued work. Its data are ids: the rows are the truth, and running it twice does no harm. */
export type Task = {
  name: string
  /** Tasks taken at once and handed over together. */
  batchSize: number
  /** Workers of each lane in one process. */
  workers: Record<Lane, number>
  /** What the task carries, one by one: so that a part that cannot be done does not hold up the others. */
  split?(data: TaskData): TaskData[]
  /** `again`: it ran before and did not end well. */
  run(ctx: Ctx, tasks: readonly TaskData[], how: { again: boolean }): Promise<void>
}

/** `group`: what may not hold all workers at once; the environment unless said. */
export type TaskData = { environmentId: string; group?: string } & Record<string, unknown>

export function defineTask(task: Task): Task {
  return task
}
