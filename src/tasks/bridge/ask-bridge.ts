import { runLane } from '../../core/bridge/run-lane.ts'
import { defineTask } from '../../engine/define-task.ts'
import { envOf } from '../../store/database.ts'

/**
 * Asks the bridge of one environment about steps of its workflows. A worker is needed only until the first calls are under
 * way, so that bridges that hang leave it to others.
 */
export default defineTask({
  name: 'ask-bridge',
  batchSize: 1,
  workers: { critical: 0, transactional: 4, bulk: 0 },
  async run(ctx, tasks, { freeWorker }) {
    for (const { environmentId, by } of tasks) {
      await runLane(ctx, envOf(environmentId), String(by), () => freeWorker?.())
    }
  },
})
