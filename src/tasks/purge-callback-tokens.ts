import { defineLoop } from '../engine/define-loop.ts'
import { purgeCallbackTokens } from '../store/feedback/callback-tokens.ts'

/** Deletes the tokens of vendors' calls that are too old to be accepted again. */
export default defineLoop({
  name: 'purge-callback-tokens',
  everyMs: 60_000,
  run: (ctx) => purgeCallbackTokens(ctx.database.db, ctx.clock(), 1_000),
})
