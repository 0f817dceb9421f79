import type { Ctx } from '../context.ts'
import type { TaskData } from './engine.ts'
import type { Lane } from './lanes.ts'

/** One kind of queued work. Its data are ids: the rows are the truth, and running it twice does no harm. */
export type Task = {
  name: string
  /** Tasks taken at once and handed over together. */
  batchSize: number
  /** Workers of each lane in one process. */
  workers: Record<Lane, number>
  /** The task as several smaller ones, so that a part that fails does not hold up the others. */
  split?(data: TaskData): TaskData[]
  /** Others of this task's group would only wait, so they are left in the queue for other workers and nodes. */
  isFull?(ctx: Ctx, task: TaskData): boolean
  run(ctx: Ctx, tasks: readonly TaskData[], how: How): Promise<void>
}

export type How = {
  /** It failed before. */
  again: boolean
  /** What is left of it is waiting for others: its worker may take the next. It stays in hand until it ends. */
  freeWorker?: () => void
}

export function defineTask(task: Task): Task {
  return task
}
