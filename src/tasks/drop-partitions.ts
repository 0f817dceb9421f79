import type { Ctx } from '../context.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { type Db, inTransaction, lockNotAvailable, openDatabase, sqlState } from '../store/database.ts'
import {
  claimRetention,
  dropWeek,
  isCrowded,
  isMoving,
  listOldWeeks,
  purgeAttachments,
  purgeEventKeys,
  purgeOutlived,
  purgeWeek,
} from '../store/history/retention.ts'

const dayMs = 24 * 3600 * 1000

// What waits is moved under a lock: this many take some milliseconds.
const mostMoved = 500

/**
 * Drops history older than RETENTION_DAYS, week by week. Unfinished rows stay until RETENTION_DAYS after they are
 * finished. A week in which very many wait is not dropped: what is finished is deleted from it. Each turn is one
 * transaction: a week, or a batch of a crowded one, of rows that stayed, of transactionIds or of attachments. It waits
 * while an environment is being moved: whoever copies one would take rows that stay for new ones.
 */
export default defineLoop({
  name: 'drop-partitions',
  everyMs: 600_000,
  async run(ctx) {
    // A connection of its own: looking through a week may take minutes.
    const { db, close } = openDatabase({
      url: ctx.database.directUrl,
      poolSize: 1,
      rowLevelSecurity: ctx.config.rowLevelSecurity,
      onError: (error) => ctx.log.warn({ err: error }, 'idle database connection lost'),
      statementTimeoutMs: 0,
    })
    try {
      return await inTransaction(db, async (trx) => ((await claimRetention(trx)) ? retain(ctx, trx) : 0))
    } catch (error) {
      return postpone(ctx, error)
    } finally {
      await close()
    }
  },
})

async function retain(ctx: Ctx, trx: Db): Promise<number> {
  if (await isMoving(trx)) {
    ctx.log.info('an environment is being moved: old history is dropped later')
    return 0
  }
  const before = new Date(ctx.clock().getTime() - ctx.config.retentionDays * dayMs)
  const crowded: Date[] = []
  for (const week of await listOldWeeks(trx, before)) {
    if (await isCrowded(trx, week, mostMoved)) {
      crowded.push(week)
      continue
    }
    const kept = await dropWeek(trx, week)
    ctx.log.info({ week, kept }, 'a week of history was dropped')
    return 1
  }
  for (const week of crowded) {
    const seen = await purgeWeek(trx, week, before, 2_000)
    if (seen > 0) return seen
  }
  const outlived = await purgeOutlived(trx, before, 500)
  return outlived || (await purgeEventKeys(trx, before, 1_000)) || (await purgeAttachments(trx, before, 100))
}

/** The tables are busy. There is no hurry, and everybody else would queue behind our lock. */
function postpone(ctx: Ctx, error: unknown): number {
  if (sqlState(error) !== lockNotAvailable) throw error
  ctx.log.info('the tables are busy: old history is dropped later')
  return 0
}
