import { Value } from 'typebox/value'
import { deleteNextPage, messagesToDeleteSchema } from '../core/delivery/delete-message.ts'
import { defineTask } from '../engine/define-task.ts'

/** Deletes the messages of an event that somebody deleted by its transactionId, page by page. */
export default defineTask({
  name: 'delete-messages',
  batchSize: 1,
  workers: { critical: 0, transactional: 0, bulk: 1 },
  async run(ctx, tasks) {
    for (const task of tasks) await deleteNextPage(ctx, Value.Parse(messagesToDeleteSchema, task))
  },
})
