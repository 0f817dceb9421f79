import { defineLoop } from '../engine/define-loop.ts'
import { purgeIdempotency } from '../store/access/idempotency.ts'

/** Stored replies are kept for 24 hours. */
export default defineLoop({
  name: 'purge-idempotency',
  everyMs: 30_000,
  run: (ctx) => purgeIdempotency(ctx.database.db, ctx.clock(), 1_000),
})
