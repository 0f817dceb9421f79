import { defineLoop } from '../engine/define-loop.ts'
import { foldTallies } from '../store/history/tallies.ts'

const batchSize = 5_000

/** Adds tallies up by the minute. Each batch is one statement, so that a reader of both sees each count once. */
export default defineLoop({
  name: 'fold-tallies',
  everyMs: 3_000,
  restMs: 15_000,
  async run(ctx, rest) {
    const folded = await foldTallies(ctx.database.db, batchSize)
    if (folded === 0 && ctx.engine.isIdle()) rest?.()
    // The batch was not full, so all is done; what came meanwhile waits for the next turn.
    return folded < batchSize ? 0 : folded
  },
})
