import { watchJumps } from '../../core/sends/watch-jumps.ts'
import { defineLoop } from '../../engine/define-loop.ts'
import { oneAtATime } from '../../store/one-at-a-time.ts'

/** Slows environments down that jump far beyond their own past, where they ask for it. */
export default defineLoop({
  name: 'watch-jumps',
  everyMs: 60_000,
  async run(ctx) {
    await oneAtATime(ctx.database.db, 'watch-jumps', (db) => watchJumps(ctx, db), undefined)
    return 0
  },
})
