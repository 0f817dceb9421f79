import { defineLoop } from '../engine/define-loop.ts'
import { chooseTimedOutTasks } from '../store/history/quarantined-tasks.ts'
import { oneAtATime } from '../store/one-at-a-time.ts'

const batchSize = 500

/**
 * Puts back tasks that were given up only because their processes died, as versions before this one did. Each is parted
 * before it runs, so that what it carries is tried one by one. What threw stays: it needs somebody who mends the cause.
 */
export default defineLoop({
  name: 'sweep-dead-tasks',
  everyMs: 15_000,
  async run(ctx) {
    return oneAtATime(
      ctx.database.db,
      'sweep-dead-tasks',
      async (db) => {
        const ids = await chooseTimedOutTasks(db, batchSize)
        const count = await ctx.engine.putBack(db, ids)
        if (count > 0) ctx.log.warn({ count }, 'tasks whose processes had died were put back')
        return count
      },
      0,
    )
  },
})
