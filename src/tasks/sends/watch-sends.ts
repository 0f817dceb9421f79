import { watchSend } from '../../core/sends/watch-send.ts'
import { defineLoop } from '../../engine/define-loop.ts'
import { envOf } from '../../store/database.ts'
import { listSendsToWatch } from '../../store/sends/sends.ts'

const mostAtOnce = 500

/**
 * Adds up what happened to large sends, stops those of which too much fails, lets those go on whose time has come, and
 * does page by page what a resume and a cancel leave to it.
 */
export default defineLoop({
  name: 'watch-sends',
  everyMs: 1_000,
  restMs: 2_000,
  alarm: (ctx) => ctx.sends,
  async run(ctx, rest) {
    const sends = await listSendsToWatch(ctx.database.db, ctx.clock(), mostAtOnce)
    if (sends.length === 0 && ctx.engine.isIdle()) rest?.()
    const faults: unknown[] = []
    let more = 0
    for (const { environment_id, id } of sends) {
      // A fault of one holds up no other.
      const left = await watchSend(ctx, envOf(environment_id), id).catch((error: unknown) => {
        faults.push(error)
        return false
      })
      if (left) more += 1
    }
    if (faults.length > 0) throw faults[0]
    return more
  },
})
