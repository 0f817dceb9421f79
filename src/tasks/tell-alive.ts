import { defineLoop } from '../engine/define-loop.ts'
import { aliveEveryMs, tellAlive } from '../store/worker-alive.ts'

/** Says that a worker runs: the overview warns when none does. */
export default defineLoop({
  name: 'tell-alive',
  everyMs: aliveEveryMs,
  run: async (ctx) => {
    await tellAlive(ctx.database.db, ctx.clock())
    return 0
  },
})
