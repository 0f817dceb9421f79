import { runLane } from '../../core/webhooks/deliver-lane.ts'
import { defineTask } from '../../engine/define-task.ts'
import { envOf } from '../../store/database.ts'

/**
 * Delivers to one webhook endpoint. A worker is needed only until the first calls are under way, so that endpoints that
 * hang leave it to others.
 */
export default defineTask({
  name: 'deliver-webhooks',
  batchSize: 1,
  workers: { critical: 0, transactional: 0, bulk: 4 },
  async run(ctx, tasks, { freeWorker }) {
    for (const { environmentId, endpointId, by } of tasks) {
      const lane = { endpointId: String(endpointId), by: String(by) }
      await runLane(ctx, envOf(environmentId), lane, () => freeWorker?.())
    }
  },
})
