import { defineLoop } from '../engine/define-loop.ts'
import { ensurePartitions } from '../store/history/partitions.ts'

const fourWeeksMs = 28 * 24 * 3600 * 1000

/** Makes weekly partitions four weeks ahead, so that every row finds its table. */
export default defineLoop({
  name: 'make-partitions',
  everyMs: 3_600_000,
  async run(ctx) {
    const now = ctx.clock()
    await ensurePartitions(ctx.database.db, now, new Date(now.getTime() + fourWeeksMs))
    return 0
  },
})
