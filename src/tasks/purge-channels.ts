import { defineLoop } from '../engine/define-loop.ts'
import { purgeChannels } from '../store/channels/endpoints.ts'

/** A deleted integration is gone at once for callers; where its people were reached is deleted in batches. */
export default defineLoop({
  name: 'purge-channels',
  everyMs: 60_000,
  run: (ctx) => purgeChannels(ctx.database.db, 5_000),
})
