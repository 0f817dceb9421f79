import { defineLoop } from '../engine/define-loop.ts'
import { coarsenRollups, purgeRollups } from '../store/history/tallies.ts'

const batchSize = 5_000
const dayMs = 24 * 3_600_000
// Counts are kept by the minute for this long, then by the hour.
const keepMinutesMs = 2 * dayMs

/** Adds minutes up by the hour, and deletes hours with the history they count, a batch in one statement. */
export default defineLoop({
  name: 'age-rollups',
  everyMs: 60_000,
  async run(ctx) {
    const { db } = ctx.database
    const nowMs = ctx.clock().getTime()
    const coarsened = await coarsenRollups(db, new Date(nowMs - keepMinutesMs), batchSize)
    const purged = await purgeRollups(db, new Date(nowMs - ctx.config.retentionDays * dayMs), batchSize)
    return Math.max(coarsened, purged) < batchSize ? 0 : coarsened + purged
  },
})
