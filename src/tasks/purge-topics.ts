import { defineLoop } from '../engine/define-loop.ts'
import { purgeDeletedTopics } from '../store/topics.ts'

/** A deleted topic is gone at once for callers; its members (up to ten million) are deleted in batches. */
export default defineLoop({
  name: 'purge-topics',
  everyMs: 30_000,
  run: (ctx) => purgeDeletedTopics(ctx.database.db, 5_000),
})
