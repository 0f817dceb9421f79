import { setTimeout as sleep } from 'node:timers/promises'
import { expectAtLeast, expectEqual } from '../../lib/red.ts'
import { bothWays, makeWorkflow, startLoad, untilAcknowledged, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { untilCommitsWait, withPair } from './pair-stage.ts'
import { checkHealed } from './stage.ts'

/**
 * Somebody cancels COMMITs that wait for the standby: PostgreSQL then says COMMIT, with a warning. The primary is lost
 * after it, and all that its clients were told is on the standby.
 */
export function cancelledCommits(outer: World): Promise<string> {
  return withPair(outer, async (world, pair) => {
    const rounds = world.small ? 5 : 15
    const tenant = await world.tenant()
    const node = await world.startNode(bothWays, 'start')
    await makeWorkflow(node.url, tenant)
    const load = startLoad(world, {
      tenant,
      target: { url: node.url },
      workflowId,
      clients: 6,
      bulk: [3, 10],
      pauseMs: 50,
    })
    await untilAcknowledged(load, 100)
    pair.line.hold()
    await sleep(500)
    const before = load.book.acknowledged.size
    let cancelled = 0
    for (let round = 0; round < rounds && !load.hasFailed(); round++) {
      await untilCommitsWait(pair, 2, load.hasFailed)
      const ended = await pair.atPrimary(
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
      )
      cancelled += ended.length
      await sleep(100)
    }
    const told = load.book.acknowledged.size - before
    await pair.killPrimary()
    await pair.promote()
    const { delivered, busy, seconds } = await checkHealed(world, { tenant, node, load }, before + 100)
    expectEqual(told, 0, 'events acknowledged whose COMMIT was cancelled')
    expectAtLeast(cancelled, rounds * 2, 'COMMITs cancelled')
    expectAtLeast(busy, rounds, 'requests answered 503 + Retry-After')
    return `${cancelled} COMMITs cancelled that waited for the standby: ${busy} × 503 + Retry-After, none acknowledged; primary killed, standby promoted: ${delivered}; drained ${seconds.toFixed(1)} s after the last request`
  })
}
