import { defineLoop } from '../../engine/define-loop.ts'
import { dropEnvironment, listToPurge } from '../../store/access/environments.ts'
import { purgeSomeRows } from '../../store/moves/left-rows.ts'

/**
 * A deleted environment that can no longer be restored goes with all it holds, batch by batch; its own row last. Its
 * tasks end by themselves, as those of one that lives elsewhere.
 */
export default defineLoop({
  name: 'purge-environments',
  everyMs: 600_000,
  async run(ctx) {
    const { db } = ctx.database
    const [id] = await listToPurge(db)
    if (id === undefined) return 0
    const deleted = await purgeSomeRows(db, id)
    if (deleted > 0) return deleted
    await dropEnvironment(db, id)
    ctx.log.info({ environmentId: id }, 'a deleted environment is gone')
    return 1
  },
})
