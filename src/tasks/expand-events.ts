import { expandEvents } from '../core/pipeline/expand-events.ts'
import { isSlowed } from '../core/sends/watch-jumps.ts'
import { defineTask } from '../engine/define-task.ts'
import { envOf } from '../store/database.ts'

// How long one task works on a large event before it queues the rest behind other tasks.
const sliceMs = 500

/** Turns events into one notification for each recipient. */
export default defineTask({
  name: 'expand-events',
  batchSize: 3,
  workers: { critical: 1, transactional: 1, bulk: 9 },
  split: ({ environmentId, eventIds }) => (eventIds as string[]).map((id) => ({ environmentId, eventIds: [id] })),
  async run(ctx, tasks, { again }) {
    // After a failure only one page: the rest becomes a new task, whose failures are counted from zero.
    const until = again ? 0 : performance.now() + sliceMs
    for (const [environmentId, ofEnvironment] of Map.groupBy(tasks, (task) => task.environmentId)) {
      const eventIds = ofEnvironment.flatMap((task) => task.eventIds as string[])
      // Of a slowed environment one page; the rest waits behind others.
      const ofIt = (await isSlowed(ctx, environmentId)) ? 0 : until
      await expandEvents(ctx, envOf(environmentId), eventIds, ofIt)
    }
  },
})
