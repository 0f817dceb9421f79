import { defineLoop } from '../engine/define-loop.ts'
import { findStrandedEvents } from '../store/history/events.ts'

/**
 * Queues events that wait without a task (a queue restored from a backup, a task deleted by hand). Normally there are
 * none: an event and its task are written in one transaction.
 */
export default defineLoop({
  name: 'sweep-events',
  everyMs: 15_000,
  async run(ctx) {
    const { db } = ctx.database
    const stranded = await findStrandedEvents(db, new Date(ctx.clock().getTime() - 30_000), 500)
    for (const [environmentId, events] of Map.groupBy(stranded, (event) => event.environmentId)) {
      await ctx.engine.enqueue(db, 'expand-events', 'bulk', [
        { environmentId, eventIds: events.map((event) => event.id) },
      ])
      ctx.log.warn({ environmentId, count: events.length }, 'events without a task were queued again')
    }
    return 0
  },
})
