import { defineLoop } from '../engine/define-loop.ts'
import { sweepPresence } from '../store/presence.ts'

/** People whose node died are offline, unless they came to another one. */
export default defineLoop({
  name: 'sweep-presence',
  everyMs: 15_000,
  run: (ctx) => sweepPresence(ctx.database.db, ctx.clock(), 500),
})
