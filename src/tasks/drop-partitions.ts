import type { Ctx } from '../context.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { inTransaction, lockNotAvailable, sqlState } from '../store/database.ts'
import {
  claimRetention,
  dropWeek,
  findOldWeek,
  purgeAttachments,
  purgeEventKeys,
  purgeOutlived,
} from '../store/history/retention.ts'

const dayMs = 24 * 3600 * 1000

/**
 * Drops history older than RETENTION_DAYS, week by week. Unfinished rows stay until RETENTION_DAYS after they are
 * finished. Each turn is one transaction: a week, or a batch of rows that stayed, of transactionIds or of attachments.
 */
export default defineLoop({
  name: 'drop-partitions',
  everyMs: 600_000,
  run: (ctx) =>
    inTransaction(ctx.database.db, async (trx) => {
      if (!(await claimRetention(trx))) return 0
      const before = new Date(ctx.clock().getTime() - ctx.config.retentionDays * dayMs)
      const week = await findOldWeek(trx, before)
      if (week) {
        const kept = await dropWeek(trx, week)
        ctx.log.info({ week, kept }, 'a week of history was dropped')
        return 1
      }
      const outlived = await purgeOutlived(trx, before, 500)
      return outlived || (await purgeEventKeys(trx, before, 1_000)) || (await purgeAttachments(trx, before, 100))
    }).catch((error: unknown) => postpone(ctx, error)),
})

/** The tables are busy. There is no hurry, and everybody else would queue behind our lock. */
function postpone(ctx: Ctx, error: unknown): number {
  if (sqlState(error) !== lockNotAvailable) throw error
  ctx.log.info('the tables are busy: old history is dropped later')
  return 0
}
