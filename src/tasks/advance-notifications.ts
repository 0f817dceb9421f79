import { resumeNotifications } from '../core/pipeline/resume.ts'
import { defineTask } from '../engine/define-task.ts'
import { chunks } from '../lib/chunks.ts'
import { envOf } from '../store/database.ts'

const notificationsPerPage = 100

/** Goes on with steps that waited: for a time, or for an earlier step. */
export default defineTask({
  name: 'advance-notifications',
  batchSize: 4,
  workers: { critical: 1, transactional: 1, bulk: 1 },
  split: ({ environmentId, notificationIds }) =>
    (notificationIds as string[]).map((id) => ({ environmentId, notificationIds: [id] })),
  async run(ctx, tasks) {
    // Timers that run out one after another make many small tasks: taken together, they are one page.
    for (const [environmentId, ofOne] of Map.groupBy(tasks, (task) => task.environmentId)) {
      const ids = new Set(ofOne.flatMap(({ notificationIds }) => notificationIds as string[]))
      for (const page of chunks([...ids], notificationsPerPage)) {
        await resumeNotifications(ctx, envOf(environmentId), page)
      }
    }
  },
})
