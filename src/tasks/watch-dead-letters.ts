import { defineLoop } from '../engine/define-loop.ts'
import { countQuarantinedTasks, listDyingTasks } from '../store/history/quarantined-tasks.ts'

const mostTold = 20

/** Logs tasks in trouble until an operator handles them: a task that takes its process down cannot log that itself. */
export default defineLoop({
  name: 'watch-dead-letters',
  everyMs: 60_000,
  async run(ctx) {
    const { db } = ctx.database
    for (const quarantined of await countQuarantinedTasks(db)) {
      ctx.log.error(quarantined, 'tasks are quarantined (npm start -- tasks list)')
    }
    for (const { id, task, data, deaths, nextTry } of await listDyingTasks(db, mostTold)) {
      const about = { task, taskId: id, environmentId: data.environmentId, deaths, nextTry }
      ctx.log.error(about, 'a task was in the hands of processes that died (npm start -- tasks list)')
    }
    return 0
  },
})
