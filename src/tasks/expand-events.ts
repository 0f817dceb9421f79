import { expandEvents } from '../core/pipeline/expand-events.ts'
import { defineTask } from '../engine/define-task.ts'
import { envOf } from '../store/database.ts'

// How long one task goes on with a large event before it queues the rest behind what others brought meanwhile.
const sliceMs = 500

/** Events to notifications, for everybody they name. */
export default defineTask({
  name: 'expand-events',
  batchSize: 3,
  workers: { critical: 1, transactional: 1, bulk: 9 },
  split: ({ environmentId, eventIds }) => (eventIds as string[]).map((id) => ({ environmentId, eventIds: [id] })),
  async run(ctx, tasks, { again }) {
    // What failed before does one page and queues the rest as a new task: that is progress, and is seen as such.
    const until = again ? 0 : performance.now() + sliceMs
    for (const [environmentId, ofEnvironment] of Map.groupBy(tasks, (task) => task.environmentId)) {
      const eventIds = ofEnvironment.flatMap((task) => task.eventIds as string[])
      await expandEvents(ctx, envOf(environmentId), eventIds, until)
    }
  },
})
