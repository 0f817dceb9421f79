import { resumeNotifications } from '../core/pipeline/resume.ts'
import { defineTask } from '../engine/define-task.ts'
import { envOf } from '../store/database.ts'

/** Goes on with steps that waited: for a time, or for an earlier step. */
export default defineTask({
  name: 'advance-notifications',
  batchSize: 2,
  workers: { critical: 1, transactional: 1, bulk: 1 },
  split: ({ environmentId, notificationIds }) =>
    (notificationIds as string[]).map((id) => ({ environmentId, notificationIds: [id] })),
  async run(ctx, tasks) {
    for (const { environmentId, notificationIds } of tasks) {
      await resumeNotifications(ctx, envOf(environmentId), notificationIds as string[])
    }
  },
})
