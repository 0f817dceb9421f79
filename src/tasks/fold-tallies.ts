import { defineLoop } from '../engine/define-loop.ts'
import { coarsenRollups, foldTallies, purgeRollups } from '../store/history/tallies.ts'

const batchSize = 5_000
const dayMs = 24 * 3_600_000
// For as long anybody asks what happened at which minute.
const minutesForMs = 2 * dayMs

/**
 * Tallies are added up by the minute, minutes by the hour, and hours go with the history they count. Each batch is one
 * statement: a count is in one place or in the other, and whoever reads both sees it once.
 */
export default defineLoop({
  name: 'fold-tallies',
  everyMs: 3_000,
  async run(ctx) {
    const { db } = ctx.database
    const nowMs = ctx.clock().getTime()
    const folded = await foldTallies(db, batchSize)
    const coarsened = await coarsenRollups(db, new Date(nowMs - minutesForMs), batchSize)
    const purged = await purgeRollups(db, new Date(nowMs - ctx.config.retentionDays * dayMs), batchSize)
    // A batch that was not full is all there was: what comes meanwhile can wait for the next turn.
    return Math.max(folded, coarsened, purged) < batchSize ? 0 : folded + coarsened + purged
  },
})
