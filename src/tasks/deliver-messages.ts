import type { Ctx } from '../context.ts'
import { deliverPortion, portionSize } from '../core/delivery/deliver.ts'
import { defineTask } from '../engine/define-task.ts'
import type { TaskData } from '../engine/engine.ts'
import type { Lane } from '../engine/lanes.ts'
import { envOf } from '../store/database.ts'

// Messages whose integration is busy are queued again after this, and take no worker meanwhile.
const busySeconds = 1
// Portions that one worker delivers at the same time.
const placesPerWorker = 4

/**
 * Sends messages to their providers. Many workers, because each mostly waits for an answer, and several tasks for each,
 * because most carry a single message.
 */
export default defineTask({
  name: 'deliver-messages',
  batchSize: 10,
  workers: { critical: 4, transactional: 6, bulk: 6 },
  async run(ctx, tasks) {
    const byIntegration = Map.groupBy(tasks, (task) =>
      [task.environmentId, task.group, task.lane, task.released].join(' '),
    )
    const ended = await Promise.allSettled([...byIntegration.values()].map((ofOne) => deliver(ctx, ofOne)))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  },
})

/**
 * Tasks of one integration: `group`, the first choice for their messages. An integration has a limited number of places,
 * and each portion takes one: if it hangs, other integrations still find workers. What finds no place is queued again,
 * and so is what is not begun when the process is to stop.
 */
async function deliver(ctx: Ctx, tasks: readonly TaskData[]): Promise<void> {
  const [first] = tasks
  if (!first) return
  const { environmentId, group = environmentId } = first
  const ids = [...new Set(tasks.flatMap((task) => task.messageIds as string[]))]
  const running = new Set<Promise<unknown>>()
  const faults: unknown[] = []
  const notBegun: string[] = []
  /** As many portions as there are places now. Each that ends may make room for more than one. */
  const start = () => {
    while (ids.length > 0 && running.size < placesPerWorker && !ctx.drain.begun) {
      const enteredMs = ctx.clock().getTime()
      const places = ctx.health.enter(group, enteredMs, Math.min(ids.length, portionSize))
      if (places === 0) return
      const one = deliverPortion(ctx, envOf(environmentId), ids.splice(0, places), first.released === true)
        .then((left) => notBegun.push(...left))
        .catch((error: unknown) => faults.push(error))
        .finally(() => {
          ctx.health.leave(group, enteredMs, places)
          running.delete(one)
        })
      running.add(one)
    }
  }
  for (start(); running.size > 0; start()) await Promise.race(running)
  notBegun.push(...ids)
  if (notBegun.length > 0) {
    const rest = { ...first, messageIds: notBegun }
    // A process that is stopping has no place, but others may.
    const afterSeconds = ctx.drain.begun ? 0 : busySeconds
    await ctx.engine.enqueue(ctx.database.db, 'deliver-messages', first.lane as Lane, [rest], { afterSeconds })
  }
  if (faults.length > 0) throw faults[0]
}
