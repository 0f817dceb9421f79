import { defineLoop } from '../engine/define-loop.ts'
import { lookAtQueues } from '../store/queues.ts'

/**
 * One look a second, idle every other, at all queues. Of a new task workers are told when it is committed; this finds
 * those whose time has come, and those whose signal was lost. While a task is in hand somewhere, the engine looks for
 * workers that died.
 */
export default defineLoop({
  name: 'watch-queues',
  everyMs: 1_000,
  restMs: 2_000,
  async run({ database, engine }, rest) {
    const queues = await lookAtQueues(database.db, engine.queues())
    for (const { queue, is_due } of queues) if (is_due) engine.wake(queue)
    const isBusy = queues.some((queue) => queue.is_active)
    await engine.supervise(isBusy)
    if (!isBusy && engine.isIdle()) rest?.()
    return 0
  },
})
