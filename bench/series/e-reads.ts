import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { seedHistory } from '../../scripts/seed-history.ts'
import { envOf } from '../../src/store/database.ts'
import type { Tables } from '../../src/store/schema.ts'
import { inAppSteps } from '../lib/events.ts'
import { format, quantile } from '../lib/numbers.ts'
import { type Bench, bySize, type Figure, type Series } from '../lib/series.ts'
import { openStage, type Stage, seedPeople, type Tenant } from '../lib/stage.ts'

// Each person has two pages at the smallest size, so that the same is read at every size.
const messagesEach = 20
// What is compiled and planned once is no part of it.
const warmUps = 100

type Read = { what: string; path(n: number): string }
const lists: Read[] = [
  { what: 'feed', path: (n) => `/v1/subscribers/s-${n}/notifications/feed` },
  { what: 'activity', path: () => '/v1/notifications' },
  { what: 'messages', path: () => '/v1/messages' },
]

type Stored = { messages: number; people: number }
type Measured = { what: string; stored: number; p50: number; p99: number }

/** First pages while history grows: they must not grow with it. */
export const reads: Series = {
  id: 'e',
  title: 'Reads: first page of feed, activity and messages',
  async run(bench) {
    const sizes = bySize(bench.size, {
      quick: [10_000, 50_000],
      small: [10_000, 50_000],
      medium: [50_000, 500_000],
      full: [100_000, 1_000_000, 10_000_000],
    })
    const stage = await openStage(bench.cluster)
    const tenant = await stage.tenant()
    await stage.post(tenant, '/v2/workflows', { workflowId: 'hello', name: 'hello', steps: inAppSteps })
    const people = (sizes[0] ?? 0) / messagesEach
    await seedPeople(stage, tenant, people)
    const measured: Measured[] = []
    let [stored, seedSeconds] = [0, 0]
    for (const size of sizes) {
      const began = performance.now()
      await seed(stage, tenant, size - stored)
      seedSeconds += (performance.now() - began) / 1000
      bench.say(`${format(size)} are there after ${format(seedSeconds)} s of seeding`)
      stored = size
      for (const list of lists) {
        const it = await measure(bench, stage, tenant, list, { messages: size, people })
        bench.say(`${list.what} at ${format(size)}: p50 ${format(it.p50)} ms, p99 ${format(it.p99)} ms`)
        measured.push(it)
      }
    }
    await stage.close()
    return {
      figures: [...toFigures(measured), ...toGrowth(bench, measured, sizes)],
      notes: [
        `First pages of ten over HTTP, one after another; feeds of ${format(people)} people in turn. Growth: the median at the largest size against the median at the smallest. Seeding took ${format(seedSeconds)} s.`,
      ],
      plot: {
        kind: 'lines',
        title: 'First page by stored messages (median)',
        x: 'stored messages',
        y: 'ms',
        logX: true,
        dots: true,
        lines: lists.map(({ what }) => ({
          name: what,
          points: measured.flatMap((it) => (it.what === what ? [[it.stored, it.p50] as const] : [])),
        })),
      },
    }
  },
}

/** Over a connection without the service's limit: a vacuum of ten million rows takes its time. */
async function seed(stage: Stage, tenant: Tenant, total: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: stage.databaseUrl, max: 3 })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const options = { total, now: new Date(), batchSize: 20_000, inFlight: 2 }
  await seedHistory(db, envOf(tenant.environmentId), options).finally(() => db.destroy())
  await stage.sql('checkpoint')
}

async function measure(bench: Bench, stage: Stage, tenant: Tenant, { what, path }: Read, stored: Stored) {
  const rounds = bySize(bench.size, { quick: 50, small: 50, medium: 200, full: 400 })
  const times: number[] = []
  for (let round = -warmUps; round < rounds; round++) {
    const started = performance.now()
    const reply = await stage.get(tenant, path(Math.floor(Math.random() * stored.people)))
    if (round >= 0) times.push(performance.now() - started)
    if ((reply as { data: unknown[] }).data.length === 0) throw new Error(`${what} is empty`)
  }
  return { what, stored: stored.messages, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

function toFigures(measured: readonly Measured[]): Figure[] {
  return measured.flatMap(({ what, stored, p50, p99 }) => [
    { what: `${what} at ${format(stored)} messages, p50`, value: p50, unit: 'ms' },
    { what: `${what} at ${format(stored)} messages, p99`, value: p99, unit: 'ms' },
  ])
}

function toGrowth({ size }: Bench, measured: readonly Measured[], sizes: readonly number[]): Figure[] {
  return lists.map(({ what }) => {
    const at = (stored: number | undefined) => measured.find((it) => it.what === what && it.stored === stored)?.p50 ?? 0
    return {
      what: `${what}: growth from ${format(sizes[0] ?? 0)} to ${format(sizes.at(-1) ?? 0)}`,
      value: at(sizes.at(-1)) / at(sizes[0]),
      unit: '×',
      floor: { most: size === 'full' ? 2 : 4 },
      goal: { most: 1.2 },
    }
  })
}
