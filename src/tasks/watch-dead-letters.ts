import { defineLoop } from '../engine/define-loop.ts'
import { countDeadLetters } from '../store/history/quarantined-tasks.ts'

/** A task that takes its process down cannot say so itself: what was given up is told until somebody looks after it. */
export default defineLoop({
  name: 'watch-dead-letters',
  everyMs: 60_000,
  async run(ctx) {
    for (const letters of await countDeadLetters(ctx.database.db)) {
      ctx.log.error(letters, 'tasks are quarantined (npm start -- conserve shows the events that wait for them)')
    }
    return 0
  },
})
