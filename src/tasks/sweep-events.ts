import { enqueueExpansion } from '../core/pipeline/enqueue.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { chunks } from '../lib/chunks.ts'
import { findStrandedEvents } from '../store/history/stranded.ts'
import { oneAtATime } from '../store/one-at-a-time.ts'

const batchSize = 5_000
const eventsPerTask = 100

/**
 * Queues events that wait without a task (a queue restored from a backup, a task deleted by hand). Normally there are
 * none: an event and its task are written in one transaction.
 */
export default defineLoop({
  name: 'sweep-events',
  everyMs: 15_000,
  async run(ctx) {
    const before = new Date(ctx.clock().getTime() - 30_000)
    const found = await oneAtATime(
      ctx.database.db,
      'sweep-events',
      async (db) => {
        const stranded = await findStrandedEvents(db, before, batchSize)
        for (const [environmentId, events] of Map.groupBy(stranded, (event) => event.environmentId)) {
          const ids = events.map((event) => event.id)
          for (const some of chunks(ids, eventsPerTask)) {
            await enqueueExpansion(ctx, db, { environmentId }, 'bulk', some)
          }
          ctx.log.warn({ environmentId, count: ids.length }, 'events without a task were queued again')
        }
        return stranded.length
      },
      0,
    )
    return found < batchSize ? 0 : found
  },
})
