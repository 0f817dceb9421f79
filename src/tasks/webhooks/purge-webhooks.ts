import { defineLoop } from '../../engine/define-loop.ts'
import { purgeWebhooks } from '../../store/webhooks/endpoints.ts'

const dayMs = 24 * 3_600_000

/** Deletes what webhook endpoints were told longer ago than WEBHOOK_RETENTION_DAYS, and what deleted endpoints have left. */
export default defineLoop({
  name: 'purge-webhooks',
  everyMs: 60_000,
  run(ctx) {
    const before = new Date(ctx.clock().getTime() - ctx.config.webhookRetentionDays * dayMs)
    return purgeWebhooks(ctx.database.db, before, 1_000)
  },
})
