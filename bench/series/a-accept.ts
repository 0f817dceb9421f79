import { bulkBodies, bulkPath, inAppSteps, singleBodies, singlePath } from '../lib/events.ts'
import { sendLoad, type Target } from '../lib/load.ts'
import { format, quantile } from '../lib/numbers.ts'
import { withPlanning } from '../lib/planning.ts'
import { checkRows } from '../lib/rows.ts'
import { type Bench, bySize, type Figure, type Result, type Series } from '../lib/series.ts'
import { openStage, type Stage, seedPeople, type Tenant, untilExpanded } from '../lib/stage.ts'
import { costFigures, costLine, type Idle, measureCost, measureIdle, type TriggerCost } from '../lib/trigger-cost.ts'

const people = 20_000

type Kind = { name: string; path: string; eventsPerCall: number; connections: number; bodies: Buffer[] }
type Point = { load: number; callsPerSecond: number; p50: number; p99: number; refused: number }
/** `accepted`: events, also of the warm-ups. */
type World = { bench: Bench; stage: Stage; tenant: Tenant; accepted: number }

const single: Kind = {
  name: 'single triggers',
  path: singlePath,
  eventsPerCall: 1,
  connections: 16,
  bodies: singleBodies(2_000, people),
}
const bulk: Kind = {
  name: 'bulks of 100',
  path: bulkPath,
  eventsPerCall: 100,
  connections: 8,
  bodies: bulkBodies(200, people),
}

// How many calls are under way at a time.
const singlesAtOnce = [1, 16, 64]
// Processor milliseconds per event.
const bulkBounds = [
  { perCall: 5, floor: 1.5, goal: 0.6 },
  { perCall: 20, floor: 0.7, goal: 0.4 },
  { perCall: 100, floor: 0.35, goal: 0.25 },
]

/** How fast triggers are accepted, which is: committed. The worker works on them meanwhile, on the same cores. */
export const accept: Series = {
  id: 'a',
  title: 'Accept: from the call to the committed answer, and what an event costs',
  async run(bench) {
    const stage = await openStage(bench.cluster)
    const world: World = { bench, stage, tenant: await stage.tenant(), accepted: 0 }
    await stage.workflow(world.tenant, inAppSteps)
    await seedPeople(stage, world.tenant, people)
    await send(world, single, { forMs: 2_000 })
    await untilExpanded(stage, world.tenant, 120_000)
    // Before the large loads: what PostgreSQL still has to write after them is not idle.
    const idle = await measureIdle(
      stage,
      bySize(bench.size, { quick: 2_000, small: 3_000, medium: 5_000, full: 10_000 }),
    )
    const costs = await withPlanning(bench.cluster, () => measureSingles(world, idle))
    const singlePoints = await measureKind(world, single)
    costs.push(...(await withPlanning(bench.cluster, () => measureBulks(world, idle))))
    const bulkPoints = await measureKind(world, bulk)
    await checkRows(stage, [world.tenant], world.accepted)
    await stage.close()
    return toResult(bench, { bulk: bulkPoints, single: singlePoints, costs, idle, accepted: world.accepted })
  },
}

async function send(world: World, kind: Kind, options: { forMs: number; perSecond?: number; connections?: number }) {
  const target: Target = { url: world.stage.api.url, key: world.tenant.key, path: kind.path }
  const sent = await sendLoad(target, { ...kind, ...options })
  world.accepted += sent.latencies.length * kind.eventsPerCall
  return sent
}

async function measureSingles(world: World, idle: Idle): Promise<TriggerCost[]> {
  const costs: TriggerCost[] = []
  for (const connections of bySize(world.bench.size, {
    quick: [16],
    small: singlesAtOnce,
    medium: singlesAtOnce,
    full: singlesAtOnce,
  })) {
    costs.push(await measureOne(world, idle, { ...single, name: `single, ${connections} at a time`, connections }))
  }
  return costs
}

async function measureBulks(world: World, idle: Idle): Promise<TriggerCost[]> {
  const costs: TriggerCost[] = []
  for (const { perCall } of world.bench.size === 'quick' ? bulkBounds.slice(0, 1) : bulkBounds) {
    const bodies = bulkBodies(Math.ceil(people / perCall), people, perCall)
    const kind = {
      name: `bulks of ${perCall}, 4 at a time`,
      path: bulkPath,
      eventsPerCall: perCall,
      connections: 4,
      bodies,
    }
    await send(world, kind, { forMs: 1_000 })
    await untilExpanded(world.stage, world.tenant, 120_000)
    costs.push(await measureOne(world, idle, kind))
  }
  return costs
}

async function measureOne(world: World, idle: Idle, kind: Kind): Promise<TriggerCost> {
  const { bench, stage, tenant } = world
  const forMs = bySize(bench.size, { quick: 3_000, small: 3_000, medium: 8_000, full: 15_000 })
  const { connections, bodies } = kind
  const cost = await measureCost(stage, tenant, idle, { ...kind, options: { connections, bodies, forMs } })
  world.accepted += cost.events
  bench.say(costLine(cost))
  return cost
}

/** First as fast as it goes, then at shares of that. */
async function measureKind(world: World, kind: Kind): Promise<Point[]> {
  const { bench, stage, tenant } = world
  const forMs = bySize(bench.size, { quick: 3_000, small: 1_500, medium: 5_000, full: 12_000 })
  const shares = bySize(bench.size, { quick: [0.5], small: [0.5], medium: [0.25, 0.5], full: [0.25, 0.5, 0.75] })
  // What is loaded and compiled once is no part of it.
  await send(world, kind, { forMs: 1_000 })
  await untilExpanded(stage, tenant, 120_000)
  const peak = toPoint(1, await send(world, kind, { forMs }))
  const points: Point[] = []
  for (const share of shares) {
    await untilExpanded(stage, tenant, 300_000)
    const perSecond = Math.max(1, peak.callsPerSecond * share)
    points.push(toPoint(share, await send(world, kind, { connections: 64, perSecond, forMs })))
  }
  points.push(peak)
  for (const { load, callsPerSecond, p50, p99 } of points) {
    bench.say(
      `${kind.name} at ${load * 100} %: ${format(callsPerSecond * kind.eventsPerCall)} triggers/s, p50 ${format(p50)} ms, p99 ${format(p99)} ms`,
    )
  }
  await untilExpanded(stage, tenant, 300_000)
  return points
}

function toPoint(load: number, sent: Awaited<ReturnType<typeof sendLoad>>): Point {
  const { latencies, seconds, refused } = sent
  return {
    load,
    callsPerSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    refused,
  }
}

type Measured = {
  bulk: readonly Point[]
  single: readonly Point[]
  costs: readonly TriggerCost[]
  idle: Idle
  accepted: number
}

/** Singles are named in full: how fast, how long the answer takes, how long until the message is seen. */
function toCostFigures(bench: Bench, costs: readonly TriggerCost[]): Figure[] {
  // A small run on a busy machine tells only that nothing is broken.
  const wide = bench.size === 'full' ? 1 : 10
  return costs.flatMap((cost) => {
    const { name } = cost
    const bulkBound = bulkBounds.find((it) => name.startsWith(`bulks of ${it.perCall},`))
    if (bulkBound) return costFigures(cost, { floor: { most: bulkBound.floor * wide }, goal: { most: bulkBound.goal } })
    const isJudged = name.startsWith('single, 16 ')
    return [
      {
        what: `${name}: to the last message`,
        value: cost.donePerSecond,
        unit: 'triggers/s',
        ...(isJudged && { goal: { least: 1_000 } }),
      },
      { what: `- answered (${name})`, value: cost.acceptedPerSecond, unit: 'triggers/s' },
      { what: `- answer, p50 (${name})`, value: cost.p50, unit: 'ms' },
      { what: `- answer, p99 (${name})`, value: cost.p99, unit: 'ms' },
      { what: `- message visible, p50 (${name})`, value: cost.visible.p50, unit: 'ms' },
      { what: `- message visible, p99 (${name})`, value: cost.visible.p99, unit: 'ms' },
      ...costFigures(cost, isJudged ? { floor: { most: 4 * wide }, goal: { most: 1.5 } } : {}),
    ]
  })
}

function toResult(bench: Bench, { bulk, single, costs, idle, accepted }: Measured): Result {
  const at = (points: readonly Point[], load: number) => points.find((point) => point.load === load) ?? points[0]
  const [peak, half, singlePeak, singleHalf] = [at(bulk, 1), at(bulk, 0.5), at(single, 1), at(single, 0.5)]
  const figures: Figure[] = [
    { what: 'bulks of 100, peak', value: (peak?.callsPerSecond ?? 0) * 100, unit: 'triggers/s' },
    { what: 'bulks of 100, peak, p50', value: peak?.p50 ?? 0, unit: 'ms' },
    { what: 'bulks of 100, peak, p99', value: peak?.p99 ?? 0, unit: 'ms' },
    { what: 'bulks of 100, half of peak, p50', value: half?.p50 ?? 0, unit: 'ms' },
    {
      what: 'bulks of 100, half of peak, p99',
      value: half?.p99 ?? 0,
      unit: 'ms',
      floor: { most: bench.size === 'full' ? 100 : 1_000 },
      goal: { most: 50 },
    },
    { what: 'single triggers, peak', value: singlePeak?.callsPerSecond ?? 0, unit: 'triggers/s' },
    { what: 'single triggers, half of peak, p50', value: singleHalf?.p50 ?? 0, unit: 'ms' },
    { what: 'single triggers, half of peak, p99', value: singleHalf?.p99 ?? 0, unit: 'ms' },
    ...toCostFigures(bench, costs),
  ]
  const line = (name: string, points: readonly Point[], of: 'p50' | 'p99') => ({
    name,
    points: points.map((point) => [point.load * 100, point[of]] as const),
  })
  const refused = [...bulk, ...single, ...costs].reduce((sum, it) => sum + it.refused, 0)
  return {
    figures,
    notes: [
      'Peak: every connection sends its next call when it has its answer. Shares of it: calls at a fixed rate, and each latency counts from when the call was due. The worker expands what was accepted meanwhile.',
      `Processor per event: all that the processes used until the last event had its message, less what they use when nothing happens (API ${format(idle.apiCpuMs)}, worker ${format(idle.workerCpuMs)}, PostgreSQL ${format(idle.postgresCpuMs)} ms a second). Planning is part of PostgreSQL's, by the clock: on a busy machine it holds time in which the planner had no core. Message visible: from the time in the event's id to the commit of its message.`,
      `${format(accepted)} events were accepted; each has its notification, its job and its message, once.`,
      ...(refused > 0 ? [`${refused} calls were told to come back later (429).`] : []),
    ],
    plot: {
      kind: 'lines',
      title: 'Accept latency by load',
      x: '% of peak load',
      y: 'ms',
      dots: true,
      lines: [
        line('bulk p50', bulk, 'p50'),
        line('bulk p99', bulk, 'p99'),
        line('single p50', single, 'p50'),
        line('single p99', single, 'p99'),
      ],
    },
  }
}
