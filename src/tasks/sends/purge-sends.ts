import { defineLoop } from '../../engine/define-loop.ts'
import { purgeSends } from '../../store/sends/sends.ts'

const batchSize = 1_000
// A send is younger than its event by this at most: until then its event may still be looked for.
const graceMs = 24 * 3_600_000

/** Sends are kept for as long as their events. */
export default defineLoop({
  name: 'purge-sends',
  everyMs: 600_000,
  run: (ctx) => purgeSends(ctx.database.db, new Date(ctx.clock().getTime() - graceMs), batchSize),
})
