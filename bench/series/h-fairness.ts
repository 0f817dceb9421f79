import { setTimeout as sleep } from 'node:timers/promises'
import { bulkPath, inAppSteps, workflowId } from '../lib/events.ts'
import { startFlood } from '../lib/flood-thread.ts'
import type { Sent } from '../lib/load.ts'
import { format, median, quantile } from '../lib/numbers.ts'
import { type Bench, bySize, type Result, type Series } from '../lib/series.ts'
import { countMessages, openStage, type Stage, seedPeople, type Tenant } from '../lib/stage.ts'

const people = 20_000
const offeredEvents = 25_000

/** One environment is offered more than the machine can do; another triggers once a second and looks at its feed. */
export const fairness: Series = {
  id: 'h',
  title: 'Fairness: a quiet environment beside a flood',
  async run(bench) {
    const seconds = bySize(bench.size, { quick: 10, small: 6, medium: 15, full: 30 })
    const stage = await openStage(bench.cluster)
    const [noisy, quiet] = [await stage.tenant(), await stage.tenant()]
    for (const tenant of [noisy, quiet]) await stage.workflow(tenant, inAppSteps)
    await seedPeople(stage, noisy, people)
    for (let n = 0; n < 5; n++) await probe(stage, quiet, `warm-${n}`)

    const alone = await probeEverySecond(bench, stage, quiet, 'alone', seconds)
    const target = { url: stage.api.url, key: noisy.key, path: bulkPath }
    const flood = startFlood({ target, perSecond: offeredEvents / 100, forMs: seconds * 1000, people, connections: 64 })
    const during = await probeEverySecond(bench, stage, quiet, 'during', seconds)
    const sent = await flood
    const done = await countMessages(stage, noisy)
    await stage.close()
    return toResult(bench, { alone, during, sent, done, seconds })
  },
}

type Measured = { alone: Probe[]; during: Probe[]; sent: Sent; done: number; seconds: number }

function toResult(bench: Bench, { alone, during, sent, done, seconds }: Measured): Result {
  const { latencies, refused, dropped } = sent
  const [p50, p99] = [seenIn(during, 0.5), seenIn(during, 0.99)]
  const [p50Alone, p99Alone] = [seenIn(alone, 0.5), seenIn(alone, 0.99)]
  // A quick run shows only that nobody starves, also on a slow machine.
  const most = bench.size === 'full' ? Math.max(3 * p99Alone, 1_000) : Math.max(40 * p50Alone, 3_000)
  return {
    figures: [
      { what: 'quiet environment alone, p50', value: p50Alone, unit: 'ms' },
      { what: 'quiet environment alone, p99', value: p99Alone, unit: 'ms' },
      { what: 'during the flood, p50', value: p50, unit: 'ms' },
      {
        what: 'during the flood, p99',
        value: p99,
        unit: 'ms',
        floor: { most },
        goal: { most: 2 * p99Alone },
      },
      { what: 'during the flood, p99 against alone', value: p99 / p99Alone, unit: '×' },
      {
        what: 'during the flood, p50 of the answer alone',
        value: median(during.map((it) => it.answeredMs)),
        unit: 'ms',
      },
      { what: 'the noisy environment: accepted', value: (latencies.length * 100) / sent.seconds, unit: 'events/s' },
    ],
    notes: [
      `Offered ${format(offeredEvents)} events/s for ${seconds} s over 64 connections: ${format(latencies.length * 100)} events accepted, ${format(refused * 100)} refused (429 or 503), ${format(dropped * 100)} could not be sent because every connection was busy; ${format(done)} were in their feeds at the end. The quiet one: single triggers, one a second, timed until the message is in the feed.`,
    ],
    plot: {
      kind: 'lines',
      title: 'A quiet environment, trigger to feed',
      x: 'seconds',
      y: 'ms',
      lines: [
        { name: 'alone', points: alone.map((it, n) => [n, it.seenMs] as const) },
        { name: 'during the flood', points: during.map((it, n) => [n, it.seenMs] as const) },
      ],
    },
  }
}

type Probe = { answeredMs: number; seenMs: number }

const seenIn = (probes: readonly Probe[], share: number) =>
  quantile(
    probes.map((it) => it.seenMs),
    share,
  )

/** One a second, whether or not the one before has been seen. */
async function probeEverySecond(bench: Bench, stage: Stage, tenant: Tenant, name: string, seconds: number) {
  const probes: Promise<Probe>[] = []
  const started = performance.now()
  for (let n = 0; n < seconds; n++) {
    await sleep(Math.max(0, started + n * 1000 - performance.now()))
    probes.push(probe(stage, tenant, `${name}-${n}`))
  }
  const waits = await Promise.all(probes)
  bench.say(`${name}: p50 ${format(seenIn(waits, 0.5))} ms, p99 ${format(seenIn(waits, 0.99))} ms`)
  return waits
}

/** From the trigger to the feed, in milliseconds, as a client sees it. */
async function probe(stage: Stage, tenant: Tenant, subscriberId: string): Promise<Probe> {
  const started = performance.now()
  const payload = { order: 1, total: '1 EUR' }
  await stage.post(tenant, '/v1/events/trigger', {
    name: workflowId,
    to: { subscriberId, firstName: 'Quiet' },
    payload,
  })
  const answeredMs = performance.now() - started
  while (true) {
    // 404 until the person is made.
    const feed = await stage
      .get(tenant, `/v1/subscribers/${subscriberId}/notifications/feed`)
      .catch(() => ({ data: [] }))
    const seenMs = performance.now() - started
    if ((feed as { data: unknown[] }).data.length > 0) return { answeredMs, seenMs }
    if (seenMs > 60_000) throw new Error('a single trigger was not seen within a minute')
    await sleep(10)
  }
}
