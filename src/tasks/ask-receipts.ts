import type { Ctx } from '../context.ts'
import { askReceipts } from '../core/feedback/ask-receipts.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { inTransaction } from '../store/database.ts'
import { findIntegrationEnvironment } from '../store/feedback/callbacks.ts'
import { claimDueReceipts, type DueReceipt } from '../store/feedback/receipts.ts'

const batchSize = 1_000
// A vendor that does not know yet, or did not answer, is asked again after this long.
const againAfterMs = 15 * 60_000
// What was claimed and not asked for by then is left to the next time.
const turnMs = 5 * 60_000
const atOnce = 10

/** Asks vendors that tell only when asked (Expo) what became of messages. */
export default defineLoop({
  name: 'ask-receipts',
  everyMs: 30_000,
  async run(ctx) {
    const now = ctx.clock()
    const again = new Date(now.getTime() + againAfterMs)
    const due = await inTransaction(ctx.database.db, (db) => claimDueReceipts(db, now, again, batchSize))
    const queue = [...Map.groupBy(due, (it) => it.integration_id)]
    const until = performance.now() + turnMs
    const work = async () => {
      for (let next = queue.shift(); next && performance.now() < until; next = queue.shift()) await ask(ctx, ...next)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return due.length
  },
})

/** One integration that cannot be asked must not keep the others from it. */
async function ask(ctx: Ctx, integrationId: string, due: readonly DueReceipt[]): Promise<void> {
  try {
    const env = await findIntegrationEnvironment(ctx.database.db, integrationId)
    if (env) await askReceipts(ctx, env, integrationId, due)
  } catch (error) {
    ctx.log.warn({ err: error, integrationId }, 'receipts could not be asked for; they are in a quarter of an hour')
  }
}
