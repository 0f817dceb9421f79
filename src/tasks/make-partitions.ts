import { defineLoop } from '../engine/define-loop.ts'
import { ensurePartitions } from '../store/history/partitions.ts'

/** Weekly partitions, four weeks ahead: a row never waits for its table. */
export default defineLoop({
  name: 'make-partitions',
  everyMs: 3_600_000,
  async run(ctx) {
    await ensurePartitions(ctx.database.db, ctx.clock())
    return 0
  },
})
