import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../lib/outside-stage.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { bothWays, type Load, makeWorkflow, startLoad, untilAcknowledged, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { answerWithinMs, answerWithLocksWithinMs, withPair } from './pair-stage.ts'
import { checkHealed } from './stage.ts'

const clients = 6

/** The standby stands still and nobody else takes its place: callers are told so soon, and nobody is acknowledged. */
export function standbyAway(outer: World): Promise<string> {
  return withPair(outer, async (world, pair) => {
    const tenant = await world.tenant()
    const node = await world.startNode(bothWays, 'start')
    await makeWorkflow(node.url, tenant)
    const target = { url: node.url }
    const load = startLoad(world, {
      tenant,
      target,
      workflowId,
      clients,
      bulk: [3, 10],
      pauseMs: 100,
      settleMs: 150_000,
    })
    await untilAcknowledged(load, 100)
    pair.standby.freeze()
    // What was confirmed just before is answered now.
    await sleep(1_000)
    const since = performance.now()
    const { acknowledged } = load.book
    const before = acknowledged.size
    const awayMs = world.small ? 20_000 : 40_000
    await until(
      () => performance.now() - since > awayMs || load.hasFailed() || waitsTooLong(load, since),
      awayMs + 10_000,
      'the time is over',
    )
    const met = load.book.tries.filter((it) => it.started > since)
    const ended = met.flatMap(({ started, ended }) => (ended === null ? [] : ended - started))
    const waits = met.flatMap(({ started, ended }) => (ended === null ? performance.now() - started : []))
    const longest = Math.max(0, ...ended, ...waits) / 1000
    const inTime = answerWithLocksWithinMs / 1000
    expectEqual(acknowledged.size, before, 'events acknowledged while the standby was away')
    expectThat(longest < inTime, `a caller waits for ${longest.toFixed(1)} s while the standby is away`)
    const refused = met.filter((it) => it.outcome === 'busy').length
    const soon = met.filter((it) => it.outcome === 'busy' && (it.ended ?? 0) - it.started < answerWithinMs).length
    expectAtLeast(soon, clients, `requests answered 503 + Retry-After within ${answerWithinMs / 1000} s`)
    // PostgreSQL does not see that whoever waits there has gone.
    const left = await pair.waiting()
    pair.standby.thaw()
    const back = performance.now()
    await until(
      () => acknowledged.size > before || load.hasFailed(),
      20_000,
      'an acknowledgement after the standby came back',
    )
    const firstMs = performance.now() - back
    const { delivered, seconds } = await checkHealed(world, { tenant, node, load }, before + 100)
    return `away for ${(awayMs / 1000).toFixed(0)} s: ${refused} × 503 + Retry-After (${soon} within ${answerWithinMs / 1000} s), none acknowledged, longest call ${longest.toFixed(1)} s, ${left} COMMITs still waiting; first acknowledgement ${(firstMs / 1000).toFixed(1)} s after it came back; ${delivered}; drained ${seconds.toFixed(1)} s after the last request`
  })
}

function waitsTooLong(load: Load, since: number): boolean {
  const now = performance.now()
  return load.book.tries.some(({ started, ended }) => started > since && (ended ?? now) - started > answerWithinMs)
}
