import type { Ctx } from '../context.ts'
import { deliverMessages } from '../core/delivery/deliver.ts'
import { messagesPerTask } from '../core/pipeline/enqueue.ts'
import { isSlowed } from '../core/sends/watch-jumps.ts'
import { defineTask } from '../engine/define-task.ts'
import type { TaskData } from '../engine/engine.ts'
import type { Lane } from '../engine/lanes.ts'
import { chunks } from '../lib/chunks.ts'
import { envOf } from '../store/database.ts'

// Messages whose integration is busy are queued again after this, and take no worker meanwhile.
const busySeconds = 1
// Of a slowed environment so many at a time; the others wait in the lane of large sends.
const slowedTries = 100

/**
 * Sends messages to their providers. A worker takes several tasks, because most carry a single message, and is free for
 * others as soon as all of them are begun.
 */
export default defineTask({
  name: 'deliver-messages',
  batchSize: 10,
  workers: { critical: 4, transactional: 6, bulk: 6 },
  isFull: (ctx, task) => ctx.health.isFull(integrationOf(task), task.lane as Lane, ctx.clock().getTime()),
  async run(ctx, tasks, { freeWorker }) {
    const byIntegration = Map.groupBy(tasks, (task) =>
      [task.environmentId, task.group, task.lane, task.released].join(' '),
    )
    const toBegin = new Set(byIntegration.values())
    const running = [...toBegin].map((ofOne) => {
      const onBegun = () => {
        toBegin.delete(ofOne)
        if (toBegin.size === 0) freeWorker?.()
      }
      return deliver(ctx, ofOne, onBegun).finally(onBegun)
    })
    const ended = await Promise.allSettled(running)
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  },
})

/** The first choice for their messages. */
const integrationOf = ({ group, environmentId }: TaskData) => group ?? environmentId

/**
 * Tasks of one integration. Only a few workers may be with it at a time, so that others find some when it hangs. What came
 * too late because several were taken at once is queued again, and so is what is not begun when the process is to stop.
 */
async function deliver(ctx: Ctx, tasks: readonly TaskData[], onBegun: () => void): Promise<void> {
  const [first] = tasks
  if (!first) return
  const { environmentId, lane } = first
  const ids = [...new Set(tasks.flatMap((task) => task.messageIds as string[]))]
  const released = first.released === true
  const slowed = await isSlowed(ctx, environmentId)
  const { left, faults } = await deliverMessages(ctx, envOf(environmentId), slowed ? ids.slice(0, slowedTries) : ids, {
    integrationId: integrationOf(first),
    lane: lane as Lane,
    released,
    onBegun,
  })
  if (slowed) left.push(...ids.slice(slowedTries))
  if (left.length > 0) {
    const rest = chunks(left, messagesPerTask).map((messageIds) => ({ ...first, messageIds }))
    // A process that is stopping has no worker, but others may.
    const afterSeconds = ctx.drain.begun ? 0 : busySeconds
    await ctx.database.write(envOf(environmentId), (db) =>
      ctx.engine.enqueue(db, 'deliver-messages', slowed ? 'bulk' : (lane as Lane), rest, { afterSeconds }),
    )
  }
  if (faults.length > 0) throw faults[0]
}
