import type { Ctx } from '../context.ts'
import { deliverMessages } from '../core/deliver.ts'
import { defineTask, type Lane, type TaskData } from '../engine/define-task.ts'
import { envOf } from '../store/database.ts'

// What finds its integration busy comes again after this, and takes no worker meanwhile.
const busySeconds = 1

/** Messages to their providers. Many workers, because each mostly waits for an answer from far away. */
export default defineTask({
  name: 'deliver-messages',
  batchSize: 1,
  workers: { critical: 4, transactional: 6, bulk: 6 },
  async run(ctx, tasks) {
    for (const task of tasks) await deliver(ctx, task)
  },
})

/** `group`: the integration through which they probably go; one that hangs may not hold every worker. */
async function deliver(ctx: Ctx, task: TaskData): Promise<void> {
  const { environmentId, group = environmentId, messageIds, lane } = task
  const enteredMs = ctx.clock().getTime()
  if (!ctx.health.enter(group, enteredMs)) {
    const again = { afterSeconds: busySeconds }
    return ctx.engine.enqueue(ctx.database.db, 'deliver-messages', lane as Lane, [task], again)
  }
  try {
    await deliverMessages(ctx, envOf(environmentId), messageIds as string[])
  } finally {
    ctx.health.leave(group, enteredMs)
  }
}
