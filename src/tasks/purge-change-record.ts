import { defineLoop } from '../engine/define-loop.ts'
import { purgeChangeRecords } from '../store/access/change-records.ts'

const dayMs = 24 * 3_600_000
const batch = 5_000

/** The record of changes has a retention of its own. */
export default defineLoop({
  name: 'purge-change-record',
  everyMs: 3_600_000,
  async run(ctx) {
    const before = new Date(ctx.clock().getTime() - ctx.config.recordRetentionDays * dayMs)
    return purgeChangeRecords(ctx.database.db, before, batch)
  },
})
