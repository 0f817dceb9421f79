import { defineLoop } from '../engine/define-loop.ts'
import { coarsenRollups, foldTallies, purgeRollups } from '../store/history/tallies.ts'

const batchSize = 5_000
const dayMs = 24 * 3_600_000
// Counts are kept by the minute for this long, then by the hour.
const keepMinutesMs = 2 * dayMs

/**
 * Adds tallies up by the minute, minutes by the hour, and deletes hours with the history they count. Each batch is one
 * statement, so that a reader of both sees each count once.
 */
export default defineLoop({
  name: 'fold-tallies',
  everyMs: 3_000,
  async run(ctx) {
    const { db } = ctx.database
    const nowMs = ctx.clock().getTime()
    const folded = await foldTallies(db, batchSize)
    const coarsened = await coarsenRollups(db, new Date(nowMs - keepMinutesMs), batchSize)
    const purged = await purgeRollups(db, new Date(nowMs - ctx.config.retentionDays * dayMs), batchSize)
    // No batch was full, so all is done; what came meanwhile waits for the next turn.
    return Math.max(folded, coarsened, purged) < batchSize ? 0 : folded + coarsened + purged
  },
})
