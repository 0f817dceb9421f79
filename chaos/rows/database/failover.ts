import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../lib/outside-stage.ts'
import { expectAtLeast } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { type MixedLoad, startMixedLoad, untilEachAcknowledged, withHosts } from '../failover/mixed-load.ts'
import { measureSince } from '../failover/rounds.ts'
import { judge } from '../failover/verdict.ts'
import { countWaits } from '../failover/waits.ts'
import { untilCommitsWait, withPair } from './pair-stage.ts'

const leastWaiting = 3

/**
 * The primary is lost by kill -9 while COMMITs wait for its standby, and the standby is promoted: what was acknowledged
 * is there, and what was not is repeated by its clients.
 */
export function failsOver(outer: World): Promise<string> {
  return withPair(outer, async (world, pair) => {
    // One node is led to the primary, the other one looks for it.
    const settings = [{}, { DATABASE_URL: withHosts(world.databaseUrl, pair.hosts) }]
    const load = await startMixedLoad(world, { settings, waitSeconds: 8, settleMs: 60_000 })
    await untilEachAcknowledged(load, 10)
    const waits = await countWaits(world, load.waits.tenant)
    pair.line.hold()
    // Where nobody waits for the standby, the clients are answered meanwhile.
    const before = load.acknowledged()
    if (world.misconfigured === null) await untilCommitsWait(pair, leastWaiting, load.hasFailed)
    else await until(() => load.acknowledged() > before + 20 || load.hasFailed(), 20_000, 'acknowledgements')
    const commits = await pair.waiting()
    const since = performance.now()
    await pair.killPrimary()
    // So that they meet a database that is not there at all.
    await sleep(1_000)
    await pair.promote()
    const promoted = performance.now()
    await untilFirst(load, since)
    const { firstMs, refused, longestMs } = measureSince(load, since)
    await untilEachAcknowledged(load, 25)
    const told = await judge(world, load)
    if (world.misconfigured === null) expectAtLeast(commits, leastWaiting, 'COMMITs that waited when the primary died')
    expectAtLeast(refused, 5, 'requests answered 503 + Retry-After')
    expectAtLeast(waits, 5, 'delays and digests that waited when the primary died')
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    return `kill -9 of the primary with ${commits} COMMITs and ${waits} delays and digests waiting; promoted ${seconds(promoted - since)} s and first acknowledgement ${seconds(firstMs)} s after; ${refused} × 503 + Retry-After, longest call ${seconds(longestMs)} s; ${told}`
  })
}

function untilFirst(load: MixedLoad, since: number): Promise<void> {
  const isNew = () => load.tries().some((it) => it.started > since && it.outcome === 'answered')
  return until(() => isNew() || load.hasFailed(), 60_000, 'an acknowledgement after the failover')
}
