import { bulkBodies, bulkPath, inAppSteps, singleBodies, singlePath } from '../lib/events.ts'
import { sendLoad, type Target } from '../lib/load.ts'
import { format, quantile } from '../lib/numbers.ts'
import { type Bench, bySize, type Figure, type Result, type Series } from '../lib/series.ts'
import { openStage, type Stage, seedPeople, type Tenant, untilExpanded } from '../lib/stage.ts'

const people = 20_000

type Kind = { name: string; path: string; eventsPerCall: number; connections: number; bodies: Buffer[] }
type Point = { load: number; callsPerSecond: number; p50: number; p99: number; refused: number }

/** How fast triggers are accepted, which is: committed. The worker works on them meanwhile, on the same cores. */
export const accept: Series = {
  id: 'a',
  title: 'Accept: from the call to the committed answer',
  async run(bench) {
    const stage = await openStage(bench.cluster)
    const tenant = await stage.tenant()
    await stage.workflow(tenant, inAppSteps)
    await seedPeople(stage, tenant, people)
    const single = await measureKind(bench, stage, tenant, {
      name: 'single triggers',
      path: singlePath,
      eventsPerCall: 1,
      connections: 16,
      bodies: singleBodies(2_000, people),
    })
    const bulk = await measureKind(bench, stage, tenant, {
      name: 'bulks of 100',
      path: bulkPath,
      eventsPerCall: 100,
      connections: 8,
      bodies: bulkBodies(200, people),
    })
    await stage.close()
    return toResult(bench, bulk, single)
  },
}

/** First as fast as it goes, then at shares of that. */
async function measureKind(bench: Bench, stage: Stage, tenant: Tenant, kind: Kind): Promise<Point[]> {
  const forMs = bySize(bench.size, { quick: 3_000, small: 1_500, medium: 5_000, full: 12_000 })
  const shares = bySize(bench.size, { quick: [0.5], small: [0.5], medium: [0.25, 0.5], full: [0.25, 0.5, 0.75] })
  const target: Target = { url: stage.api.url, key: tenant.key, path: kind.path }
  // What is loaded and compiled once is no part of it.
  await sendLoad(target, { ...kind, forMs: 1_000 })
  await untilExpanded(stage, tenant, 120_000)
  const peak = toPoint(1, await sendLoad(target, { ...kind, forMs }))
  const points: Point[] = []
  for (const share of shares) {
    await untilExpanded(stage, tenant, 300_000)
    const perSecond = Math.max(1, peak.callsPerSecond * share)
    points.push(toPoint(share, await sendLoad(target, { ...kind, connections: 64, perSecond, forMs })))
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

function toResult(bench: Bench, bulk: readonly Point[], single: readonly Point[]): Result {
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
  ]
  const line = (name: string, points: readonly Point[], of: 'p50' | 'p99') => ({
    name,
    points: points.map((point) => [point.load * 100, point[of]] as const),
  })
  const refused = [...bulk, ...single].reduce((sum, point) => sum + point.refused, 0)
  return {
    figures,
    notes: [
      'Peak: every connection sends its next call when it has its answer. Shares of it: calls at a fixed rate, and each latency counts from when the call was due. The worker expands what was accepted meanwhile.',
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
