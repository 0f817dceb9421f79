import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import type { OpenCluster } from '../../lib/patroni.ts'
import { expectAtLeast, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { answerWithinMs } from '../database/pair-stage.ts'
import type { Fault } from './faults.ts'
import { type MixedLoad, startMixedLoad, untilEachAcknowledged, withHosts } from './mixed-load.ts'
import { judge } from './verdict.ts'
import { countWaits } from './waits.ts'

export type FailoverStage = { world: World; cluster: OpenCluster }

/** What the clients met since a fault. */
export type Measured = {
  /** From the fault until the end of the longest time in which nobody was acknowledged. */
  firstMs: number
  /** That time itself. */
  silentMs: number
  /** 503 + Retry-After. */
  refused: number
  acknowledged: number
  /** Of a call that has ended. */
  longestMs: number
}

export function measureSince(load: MixedLoad, since: number): Measured {
  const ended = load.tries().flatMap((it) => (it.ended !== null && it.ended > since ? { ...it, ended: it.ended } : []))
  const answered = ended.filter((it) => it.outcome === 'answered').map((it) => it.ended)
  const moments = [since, ...answered.toSorted((a, b) => a - b)]
  const gaps = moments.slice(1).map((at, n) => ({ at, ms: at - (moments[n] ?? at) }))
  const longest = gaps.toSorted((a, b) => b.ms - a.ms)[0]
  return {
    firstMs: (longest?.at ?? Number.POSITIVE_INFINITY) - since,
    silentMs: longest?.ms ?? Number.POSITIVE_INFINITY,
    refused: ended.filter((it) => it.outcome === 'busy').length,
    acknowledged: answered.length,
    longestMs: Math.max(0, ...ended.map((it) => it.ended - it.started)),
  }
}

const waitSeconds = 15
const settleMs = 150_000
type Round = Measured & { fault: string; leaderMs: number | null; waits: number; wholeMs: number }

/** The faults one after the other under one load, and the books at the end. */
export async function runRounds({ world: outer, cluster }: FailoverStage, faults: readonly Fault[]): Promise<string> {
  const world = await outer.elsewhere(cluster.server)
  try {
    const load = await startMixedLoad(world, { settings: waysOf(world, cluster), waitSeconds, settleMs })
    await untilEachAcknowledged(load, 10)
    const rounds: Round[] = []
    for (const fault of faults) {
      if (load.hasFailed()) break
      rounds.push(await runRound(world, cluster, load, fault))
    }
    const told = await judge(world, load)
    const refused = rounds.reduce((sum, round) => sum + round.refused, 0)
    const longest = Math.max(...rounds.map((round) => round.longestMs))
    expectThat(longest < answerWithinMs, `a call took ${(longest / 1000).toFixed(1)} s${tableOf(rounds)}`)
    expectAtLeast(rounds.length, faults.length, 'rounds')
    expectAtLeast(refused, faults.length, 'requests answered 503 + Retry-After')
    return `${rounds.length} rounds, ${load.acknowledged()} acknowledged, ${refused} × 503 + Retry-After and nothing else; ${told}${tableOf(rounds)}`
  } finally {
    await Promise.all(world.nodes.map((node) => node.kill()))
    await cluster.untilWhole()
    await world.close()
  }
}

/** Half of the nodes ask haproxy, the others look for the primary themselves. */
function waysOf(world: World, cluster: OpenCluster): Record<string, string>[] {
  return [{}, { DATABASE_URL: withHosts(world.databaseUrl, cluster.hosts) }]
}

async function runRound(world: World, cluster: OpenCluster, load: MixedLoad, fault: Fault): Promise<Round> {
  await cluster.untilWhole()
  await untilAcknowledgedSince(load, performance.now())
  const waits = await countWaits(world, load.waits.tenant)
  expectAtLeast(waits, 3, `delays and digests that wait when there is "${fault.name}"`)
  const since = performance.now()
  const { leaderAt, undo } = await fault.strike(cluster)
  const struck = performance.now()
  await untilAcknowledgedSince(load, struck)
  await sleep(2_000)
  undo()
  await cluster.untilWhole()
  const wholeMs = performance.now() - since
  await untilAcknowledgedSince(load, performance.now())
  const measured = measureSince(load, since)
  const leaderMs = leaderAt === null ? null : leaderAt - since
  const round = { ...measured, fault: fault.name, leaderMs, waits, wholeMs }
  console.log(`      ${cells(round).join(' · ')}`)
  return round
}

/** Several, and begun after it: what was under way may have been decided before. */
function untilAcknowledgedSince(load: MixedLoad, since: number): Promise<void> {
  const isEnough = () => load.tries().filter((it) => it.started > since && it.outcome === 'answered').length >= 10
  return until(() => isEnough() || load.hasFailed(), 120_000, 'acknowledgements after the fault')
}

const heads = ['', 'leader s', 'first s', 'silent s', 'refused', 'acknowledged', 'longest s', 'waiting', 'whole s']

function cells({ fault, leaderMs, waits, wholeMs, ...it }: Round): string[] {
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const leader = leaderMs === null ? 'stays' : seconds(leaderMs)
  const counts = [it.refused, it.acknowledged].map(String)
  return [
    ...[fault, leader, seconds(it.firstMs), seconds(it.silentMs), ...counts],
    ...[seconds(it.longestMs), String(waits), seconds(wholeMs)],
  ]
}

function tableOf(rounds: readonly Round[]): string {
  const lines = [heads, ...rounds.map(cells)]
  const widths = times(heads.length, (column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const write = (line: readonly string[]) => line.map((cell, n) => cell.padStart(widths[n] ?? 0)).join('  ')
  return lines.map((line) => `\n      ${write(line)}`).join('')
}
