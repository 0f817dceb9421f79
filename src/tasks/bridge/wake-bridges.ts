import { leaseMs } from '../../core/bridge/run-lane.ts'
import { defineLoop } from '../../engine/define-loop.ts'
import { claimBridges, hasCalls } from '../../store/bridge/bridges.ts'
import { inTransaction } from '../../store/database.ts'

const batchSize = 100

/** Queues a task for every bridge that is to be asked something and is with no worker. */
export default defineLoop({
  name: 'wake-bridges',
  everyMs: 500,
  restMs: 2_000,
  alarm: (ctx) => ctx.bridges,
  async run(ctx, rest) {
    // Most have no bridge at all.
    if (!(await hasCalls(ctx.database.db))) {
      rest?.()
      return 0
    }
    const now = ctx.clock()
    const until = new Date(now.getTime() + leaseMs)
    const lanes = await inTransaction(ctx.database.db, async (db) => {
      const claimed = await claimBridges(db, now, until, batchSize)
      const tasks = claimed.map(({ environment_id: environmentId, busy_by: by }) => ({
        environmentId,
        group: environmentId,
        by,
      }))
      await ctx.engine.enqueue(db, 'ask-bridge', 'transactional', tasks)
      return claimed
    })
    return lanes.length < batchSize ? 0 : lanes.length
  },
})
