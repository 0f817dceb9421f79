import { defineLoop } from '../engine/define-loop.ts'
import { countQuarantinedTasks } from '../store/history/quarantined-tasks.ts'

/** Logs quarantined tasks until an operator handles them: a task that takes its process down cannot log that itself. */
export default defineLoop({
  name: 'watch-dead-letters',
  everyMs: 60_000,
  async run(ctx) {
    for (const quarantined of await countQuarantinedTasks(ctx.database.db)) {
      ctx.log.error(quarantined, 'tasks are quarantined (npm start -- conserve shows the events that wait for them)')
    }
    return 0
  },
})
