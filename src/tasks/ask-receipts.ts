import { askReceipts } from '../core/feedback/ask-receipts.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { inTransaction } from '../store/database.ts'
import { findIntegrationEnvironment } from '../store/feedback/callbacks.ts'
import { claimDueReceipts } from '../store/feedback/receipts.ts'

const batchSize = 1_000
// A vendor that does not know yet, or did not answer, is asked again after this long.
const againAfterMs = 15 * 60_000

/** Asks vendors that tell only when asked (Expo) what became of messages. */
export default defineLoop({
  name: 'ask-receipts',
  everyMs: 30_000,
  async run(ctx) {
    const now = ctx.clock()
    const again = new Date(now.getTime() + againAfterMs)
    const due = await inTransaction(ctx.database.db, (db) => claimDueReceipts(db, now, again, batchSize))
    for (const [integrationId, ofIntegration] of Map.groupBy(due, (it) => it.integration_id)) {
      const env = await findIntegrationEnvironment(ctx.database.db, integrationId)
      if (env) await askReceipts(ctx, env, integrationId, ofIntegration)
    }
    return due.length
  },
})
