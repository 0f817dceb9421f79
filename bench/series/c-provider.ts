import { setTimeout as sleep } from 'node:timers/promises'
import { bulkBodies, bulkPath, singleBodies, singlePath } from '../lib/events.ts'
import { sendLoad } from '../lib/load.ts'
import { addMail, egressTo, mailSteps } from '../lib/mail.ts'
import { format, quantile } from '../lib/numbers.ts'
import { type Provider, startProvider } from '../lib/provider-process.ts'
import { type Bench, bySize, type Figure, type Series } from '../lib/series.ts'
import { openStage, type Stage, seedPeople, type Tenant } from '../lib/stage.ts'
import type { Arrivals } from '../provider.ts'

const people = 20_000
// Published medians of two large e-mail providers.
const latencies = [20, 150]

type Measured = { latencyMs: number; bulk: number; single: number; p50: number; p99: number }

/** Through the whole house and out of it: e-mails to a provider of our own, by a signed webhook. */
export const toProvider: Series = {
  id: 'c',
  title: 'End to end, to a provider',
  async run(bench) {
    const provider = await startProvider()
    const stage = await openStage(bench.cluster, egressTo(provider))
    const tenant = await makeSender(stage, provider)
    const measured: Measured[] = []
    for (const latencyMs of latencies) measured.push(await measureLatency(bench, stage, tenant, provider, latencyMs))
    await stage.close()
    await provider.stop()
    return {
      figures: measured.flatMap((it) => toFigures(bench, it)),
      notes: [
        'Sends/s: from the first call until the provider was called for the last message. Load: single triggers at a fixed rate, 20 % of what single triggers reach at most; the time counts from when the trigger was due until the provider is called.',
      ],
      plot: {
        kind: 'bars',
        title: 'Trigger to provider call at 20 % load',
        y: 'ms',
        bars: measured.flatMap((it) => [
          { name: `p50, ${it.latencyMs} ms provider`, value: it.p50 },
          { name: `p99, ${it.latencyMs} ms provider`, value: it.p99, tone: 1 },
        ]),
      },
    }
  },
}

async function makeSender(stage: Stage, provider: Provider): Promise<Tenant> {
  const tenant = await stage.tenant()
  await addMail(stage, tenant, provider)
  await stage.workflow(tenant, mailSteps)
  await seedPeople(stage, tenant, people)
  return tenant
}

async function measureLatency(
  bench: Bench,
  stage: Stage,
  tenant: Tenant,
  provider: Provider,
  latencyMs: number,
): Promise<Measured> {
  provider.setLatency(latencyMs)
  const target = { url: stage.api.url, key: tenant.key, path: bulkPath }
  const bulkOf = (calls: number) => () => sendLoad(target, { bodies: bulkBodies(calls, people), connections: 4 })
  const singleTarget = { ...target, path: singlePath }
  const singlesOf = (count: number) => singleBodies(count, people)
  const singleOf = (calls: number) => () => sendLoad(singleTarget, { bodies: singlesOf(calls), connections: 16 })
  const forSeconds = bySize(bench.size, { quick: 3, small: 2, medium: 5, full: 15 })
  // A first try warms up, a second one says how many it takes to keep it busy for so long.
  await peakOf(bulkOf(4), provider, 400)
  const bulkCalls = Math.ceil(((await peakOf(bulkOf(20), provider, 2_000)) * forSeconds) / 100)
  const bulk = await peakOf(bulkOf(bulkCalls), provider, bulkCalls * 100)
  const singleCalls = Math.ceil((await peakOf(singleOf(100), provider, 100)) * forSeconds)
  const single = await peakOf(singleOf(singleCalls), provider, singleCalls)

  const seconds = bySize(bench.size, { quick: 5, small: 3, medium: 10, full: 20 })
  const perSecond = single * 0.2
  const total = Math.round(perSecond * seconds)
  const began = performance.timeOrigin + performance.now()
  const sending = sendLoad(singleTarget, { bodies: singlesOf(total), perSecond, connections: 64 })
  await Promise.all([sending, untilCalled(provider, total)])
  const arrivals = await arrivalsOf(provider, total)
  // The n-th call was due at the n-th moment, and its order is n.
  const waits = Object.entries(arrivals).map(([order, at]) => at - (began + (Number(order) * 1000) / perSecond))
  const measured = { latencyMs, bulk, single, p50: quantile(waits, 0.5), p99: quantile(waits, 0.99) }
  bench.say(
    `provider takes ${latencyMs} ms: ${format(bulk)} sends/s in bulk, ${format(single)} by single triggers; at ${format(perSecond)}/s p50 ${format(measured.p50)} ms, p99 ${format(measured.p99)} ms`,
  )
  return measured
}

/** Answers sends per second. */
async function peakOf(send: () => Promise<unknown>, provider: Provider, total: number): Promise<number> {
  const began = performance.timeOrigin + performance.now()
  await Promise.all([send(), untilCalled(provider, total)])
  const last = Object.values(await arrivalsOf(provider, total)).reduce((a, b) => Math.max(a, b), 0)
  return (total / (last - began)) * 1000
}

/** Each once: a message that was sent twice would make the figure a lie. */
async function arrivalsOf(provider: Provider, total: number): Promise<Arrivals> {
  const arrivals = await provider.arrivals()
  const messages = Object.keys(arrivals).length
  if (messages !== total) throw new Error(`${total} calls at the provider, for ${messages} messages`)
  return arrivals
}

async function untilCalled(provider: Provider, total: number): Promise<void> {
  for (const deadline = Date.now() + 180_000; ; await sleep(50)) {
    const count = await provider.count()
    if (count >= total) return
    if (Date.now() > deadline) throw new Error(`the provider was called for ${count} of ${total}`)
  }
}

function toFigures(bench: Bench, { latencyMs, bulk, single, p50, p99 }: Measured): Figure[] {
  const wide = bench.size === 'full' ? 1 : 4
  const when = `provider takes ${latencyMs} ms`
  return [
    { what: `${when}: bulks of 100`, value: bulk, unit: 'sends/s' },
    { what: `${when}: single triggers`, value: single, unit: 'sends/s' },
    { what: `${when}: p50 at 20 % load`, value: p50, unit: 'ms', floor: { most: 150 * wide }, goal: { most: 50 } },
    { what: `${when}: p99 at 20 % load`, value: p99, unit: 'ms', floor: { most: 1_000 * wide }, goal: { most: 300 } },
  ]
}
