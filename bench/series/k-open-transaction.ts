import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { eventOf, inAppSteps } from '../lib/events.ts'
import { sendLoad } from '../lib/load.ts'
import { addMail, egressTo, mailSteps } from '../lib/mail.ts'
import { format, quantile } from '../lib/numbers.ts'
import { type Provider, startProvider } from '../lib/provider-process.ts'
import { readTables, type Sample, watchTables } from '../lib/queue-tables.ts'
import { type Bench, bySize, type Figure, type Result, type Series } from '../lib/series.ts'
import { asObserver, openStage, type Stage, seedPeople, type Tenant, untilExpanded } from '../lib/stage.ts'
import { readUsage, spentBetween } from '../lib/usage.ts'

const people = 20_000
const perCall = 5
const eventsPerSecond = 75
const mailWorkflowId = 'bench-mail'

type World = { bench: Bench; stage: Stage; tenant: Tenant; provider: Provider; mails: number }
/** A minute at the beginning or at the end. */
type Slice = { p50: number; p99: number; cpu: number; postgres: number }
type Phase = { samples: Sample[]; slices: Slice[] }
type Recovery = { seconds: number; isDone: boolean; end: Sample }

/** What an hour of a dump does: while a transaction is open, no row that was deleted since can be cleaned up. */
export const openTransaction: Series = {
  id: 'k',
  title: 'A transaction held open beside load',
  async run(bench) {
    const provider = await startProvider()
    const without = await inWorld(bench, provider, (world) => runPhase(world))
    const most = Math.max(...without.samples.map((it) => it.dead))
    const { held, recovery } = await inWorld(bench, provider, async (world) => {
      const release = await holdTransaction(world.stage)
      const held = await runPhase(world).finally(release)
      return { held, recovery: await recover(world, most, held.samples) }
    })
    await provider.stop()
    return toResult(bench, { without, held, recovery, most })
  },
}

/** Each on a fresh database: what one run left would be in the way of the other. */
async function inWorld<T>(bench: Bench, provider: Provider, work: (world: World) => Promise<T>): Promise<T> {
  const stage = await openStage(bench.cluster, egressTo(provider))
  const tenant = await stage.tenant()
  await addMail(stage, tenant, provider)
  await stage.workflow(tenant, inAppSteps)
  const mailWorkflow = { workflowId: mailWorkflowId, name: mailWorkflowId, steps: mailSteps }
  await stage.post(tenant, '/v2/workflows', mailWorkflow)
  await seedPeople(stage, tenant, people)
  await provider.arrivals()
  const world = { bench, stage, tenant, provider, mails: 0 }
  // What is loaded and compiled once is no part of it.
  await load(world, 3_000)
  const result = await work(world)
  await untilExpanded(stage, tenant, 300_000)
  await untilSent(world)
  await stage.close()
  return result
}

/** Every second call is for e-mail, which goes through one queue more. */
const bodies = Array.from({ length: 2_000 }, (_, call) => {
  const events = Array.from({ length: perCall }, (_, n) => eventOf(call * perCall + n, people))
  const named = call % 2 === 1 ? events.map((event) => ({ ...event, name: mailWorkflowId })) : events
  return Buffer.from(JSON.stringify({ events: named }))
})

/** Answers the latencies of the calls. */
async function load(world: World, forMs: number): Promise<number[]> {
  const target = { url: world.stage.api.url, key: world.tenant.key, path: '/v1/events/trigger/bulk' }
  const perSecond = eventsPerSecond / perCall
  const { latencies } = await sendLoad(target, { bodies, connections: 32, perSecond, forMs })
  world.mails += Math.floor(latencies.length / 2) * perCall
  return latencies
}

/** Its snapshot is taken by its first query, and then kept. */
async function holdTransaction(stage: Stage): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: asObserver(stage.databaseUrl), application_name: 'bench holds' })
  client.on('error', () => {})
  await client.connect()
  const end = whenOver(() => client.end())
  await client.query('begin isolation level repeatable read')
  await client.query('select 1 from pg_class limit 1')
  return async () => {
    await client.query('commit')
    await end()
  }
}

async function runPhase(world: World): Promise<Phase> {
  const everyMs = bySize(world.bench.size, { quick: 1_000, small: 1_000, medium: 2_000, full: 5_000 })
  const watch = watchTables(world.stage, everyMs)
  const slices = await measureSlices(world, watch.samples).finally(watch.stop)
  return { samples: watch.samples, slices }
}

async function measureSlices(world: World, samples: readonly Sample[]): Promise<Slice[]> {
  const { bench, stage } = world
  const seconds = bySize(bench.size, { quick: 30, small: 60, medium: 180, full: 600 })
  const sliceMs = Math.min(60, seconds / 3) * 1000
  const slices: Slice[] = []
  for (let ms = 0; ms < seconds * 1000; ms += sliceMs) {
    const before = await readUsage(stage)
    const latencies = await load(world, sliceMs)
    const spent = spentBetween(before, await readUsage(stage))
    const events = latencies.length * perCall
    slices.push({
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      cpu: (spent.apiCpuMs + spent.workerCpuMs + spent.postgresCpuMs) / events,
      postgres: spent.postgresCpuMs / events,
    })
    sayLast(bench, slices, samples)
  }
  return slices
}

function sayLast(bench: Bench, slices: readonly Slice[], samples: readonly Sample[]): void {
  const [slice, tables] = [slices.at(-1), samples.at(-1)]
  if (!slice || !tables) return
  bench.say(
    `${format(tables.seconds)} s: ${format(slice.cpu)} CPU ms per event, p99 ${format(slice.p99)} ms, queues ${megabytes(tables)} MB, ${format(tables.dead)} dead rows`,
  )
}

/** The load goes on. Adds to the samples of the time before. */
async function recover(world: World, most: number, samples: Sample[]): Promise<Recovery> {
  const { bench, stage } = world
  const withinSeconds = bySize(bench.size, { quick: 20, small: 130, medium: 180, full: 300 })
  const [began, offset] = [performance.now(), samples.at(-1)?.seconds ?? 0]
  while (true) {
    await load(world, 2_000)
    const seconds = (performance.now() - began) / 1000
    const end = { ...(await readTables(stage)), seconds: offset + seconds }
    samples.push(end)
    if (end.dead <= most || seconds > withinSeconds) {
      bench.say(`${format(seconds)} s after its end: queues ${megabytes(end)} MB, ${format(end.dead)} dead rows`)
      return { seconds, isDone: end.dead <= most, end }
    }
  }
}

async function untilSent({ provider, mails }: World): Promise<void> {
  for (const deadline = Date.now() + 180_000; ; await sleep(100)) {
    const count = await provider.count()
    if (count === mails) return
    if (count > mails || Date.now() > deadline) throw new Error(`the provider was called for ${count} of ${mails}`)
  }
}

const megabytes = ({ bytes }: { bytes: number }) => format(bytes / 1024 ** 2)

type Measured = { without: Phase; held: Phase; recovery: Recovery; most: number }

function toResult(bench: Bench, { without, held, recovery, most }: Measured): Result {
  const heldSamples = held.samples.filter((it) => it.seconds <= recovery.end.seconds - recovery.seconds)
  const line = (name: string, samples: readonly Sample[], of: (it: Sample) => number) => ({
    name,
    points: samples.map((it) => [it.seconds, of(it)] as const),
  })
  const [mb, thousands] = [(it: Sample) => it.bytes / 1024 ** 2, (it: Sample) => it.dead / 1000]
  return {
    figures: [
      ...figuresOf('without', without, without.samples),
      ...figuresOf('held', held, heldSamples),
      {
        what: 'processor per event at the end, held against without',
        value: (held.slices.at(-1)?.cpu ?? 0) / (without.slices.at(-1)?.cpu ?? 1),
        unit: '×',
      },
      {
        what: `after its end until the queues have no more dead rows than without${recovery.isDone ? '' : ' (not reached)'}`,
        value: recovery.seconds,
        unit: 's',
      },
      { what: '- size of the queues then', value: mb(recovery.end), unit: 'MB' },
    ],
    notes: [
      `${eventsPerSecond} events/s in bulks of ${perCall}, every second call for e-mail to a provider that takes 20 ms; each run on a database of its own for ${format(heldSamples.at(-1)?.seconds ?? 0)} s, first without, then while another connection holds a repeatable read transaction open. Processor: API, worker and PostgreSQL, idle cost included. First and last: a minute each, in smaller sizes a third of the time.`,
      `After its end the load goes on until autovacuum has brought the dead rows of the queues to ${format(most)}, the most there were without (PostgreSQL's own settings: it looks every minute). Done tasks stay for an hour, so the tables grow in both runs; a vacuumed table keeps its size and fills it again.`,
      ...(bench.size === 'full' ? [] : ['So short a time says little: the dead rows of an hour are many more.']),
    ],
    plot: {
      kind: 'lines',
      title: 'The queues, with and without an open transaction',
      x: 'seconds',
      y: 'MB, and thousands of dead rows',
      lines: [
        line('dead rows, held', held.samples, thousands),
        line('dead rows, without', without.samples, thousands),
        line('MB, held', held.samples, mb),
        line('MB, without', without.samples, mb),
      ],
    },
  }
}

function figuresOf(name: string, { slices }: Phase, samples: readonly Sample[]): Figure[] {
  const [first, last, end] = [slices[0], slices.at(-1), samples.at(-1)]
  if (!first || !last || !end) throw new Error('a run has a beginning and an end')
  return [
    { what: `${name}: processor per event, first minute`, value: first.cpu, unit: 'CPU ms' },
    { what: `${name}: processor per event, last minute`, value: last.cpu, unit: 'CPU ms' },
    { what: `- PostgreSQL, first minute (${name})`, value: first.postgres, unit: 'CPU ms' },
    { what: `- PostgreSQL, last minute (${name})`, value: last.postgres, unit: 'CPU ms' },
    { what: `${name}: accept p99, first minute`, value: first.p99, unit: 'ms' },
    { what: `${name}: accept p99, last minute`, value: last.p99, unit: 'ms' },
    { what: `${name}: dead rows of the queues at the end`, value: end.dead, unit: '' },
    { what: `${name}: most dead rows`, value: Math.max(...samples.map((it) => it.dead)), unit: '' },
    { what: `${name}: size of the queues at the end`, value: end.bytes / 1024 ** 2, unit: 'MB' },
  ]
}
