import { Value } from 'typebox/value'
import { eraseBatch, erasureSchema } from '../core/subscribers/erase-subscriber.ts'
import { defineTask } from '../engine/define-task.ts'

/** Erases a deleted subscriber from history, batch by batch. */
export default defineTask({
  name: 'erase-subscriber',
  batchSize: 1,
  workers: { critical: 0, transactional: 0, bulk: 1 },
  async run(ctx, tasks) {
    for (const task of tasks) await eraseBatch(ctx, Value.Parse(erasureSchema, task))
  },
})
