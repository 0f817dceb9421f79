import { defineLoop } from '../engine/define-loop.ts'
import { purgeWindows } from '../store/history/windows.ts'

/** Deletes throttle counters and look-backs that are over. */
export default defineLoop({
  name: 'purge-windows',
  everyMs: 10_000,
  run: (ctx) => purgeWindows(ctx.database.db, ctx.clock(), 1_000),
})
