import { leaseMs } from '../../core/webhooks/deliver-lane.ts'
import { defineLoop } from '../../engine/define-loop.ts'
import { inTransaction } from '../../store/database.ts'
import { claimLanes, hasEndpoints } from '../../store/webhooks/endpoints.ts'

const batchSize = 100

/** Queues a task for every webhook endpoint that has something due and is with no worker. */
export default defineLoop({
  name: 'wake-webhooks',
  everyMs: 500,
  restMs: 2_000,
  async run(ctx, rest) {
    // Most have no endpoint at all.
    if (!(await hasEndpoints(ctx.database.db))) {
      rest?.()
      return 0
    }
    const now = ctx.clock()
    const until = new Date(now.getTime() + leaseMs)
    const lanes = await inTransaction(ctx.database.db, async (db) => {
      const claimed = await claimLanes(db, now, until, batchSize)
      const tasks = claimed.map((it) => ({
        environmentId: it.environment_id,
        group: it.id,
        endpointId: it.id,
        by: it.busy_by,
      }))
      await ctx.engine.enqueue(db, 'deliver-webhooks', 'bulk', tasks)
      return claimed
    })
    if (lanes.length === 0 && ctx.engine.isIdle()) rest?.()
    return lanes.length < batchSize ? 0 : lanes.length
  },
})
