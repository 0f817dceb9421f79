import { defineLoop } from '../engine/define-loop.ts'
import { ensurePartitions } from '../store/history/partitions.ts'

/** Makes weekly partitions four weeks ahead, so that every row finds its table. */
export default defineLoop({
  name: 'make-partitions',
  everyMs: 3_600_000,
  async run(ctx) {
    await ensurePartitions(ctx.database.db, ctx.clock())
    return 0
  },
})
