import { readSample, rowsPerNotification, type Sample, writeBare } from '../bare.ts'
import { bulkBodies, bulkPath, crowdBodies, inAppSteps } from '../lib/events.ts'
import { sendLoad } from '../lib/load.ts'
import { format, median } from '../lib/numbers.ts'
import { type Bench, bySize, type Result, type Series } from '../lib/series.ts'
import {
  countMessages,
  openStage,
  pageSizeOf,
  type Stage,
  seedPeople,
  type Tenant,
  untilExpanded,
} from '../lib/stage.ts'

const people = 20_000
// Enough that the API always has a call to answer, and few enough that none waits long.
const connections = 4
const mostMs = 180_000

type Shape = { name: string; bodies(calls: number): Buffer[] }
const shapes: Shape[] = [
  { name: 'an event per person', bodies: (calls) => bulkBodies(calls, people) },
  { name: 'an event per 100 people', bodies: (calls) => crowdBodies(calls, people) },
]

/** From the first call to the last message in the feed. Bare and product take turns, so that a slow minute hits both. */
export const inApp: Series = {
  id: 'b',
  title: 'End to end, in-app, against bare PostgreSQL',
  async run(bench) {
    const stage = await openStage(bench.cluster)
    const [single, crowd] = [await measureShape(bench, stage, shapes[0]), await measureShape(bench, stage, shapes[1])]
    await stage.close()
    return {
      figures: [
        { what: 'end to end, an event per person', value: single.product, unit: 'notifications/s' },
        { what: 'bare, same rows', value: single.bare, unit: 'notifications/s' },
        {
          what: 'ratio to bare',
          value: single.ratio,
          unit: '',
          floor: { least: bench.size === 'full' ? 0.35 : 0.2 },
          goal: { least: 0.6 },
        },
        { what: 'end to end, an event per 100 people', value: crowd.product, unit: 'notifications/s' },
        { what: 'bare, same rows (100 people)', value: crowd.bare, unit: 'notifications/s' },
        { what: 'ratio to bare (100 people)', value: crowd.ratio, unit: '' },
      ],
      notes: [...single.notes, ...crowd.notes],
      plot: {
        kind: 'bars',
        title: 'In-app, end to end, and PostgreSQL alone',
        y: 'notifications/s',
        bars: [
          { name: 'bare, event per person', value: single.bare, tone: 1 },
          { name: 'Tidings, event per person', value: single.product },
          { name: 'bare, event per 100', value: crowd.bare, tone: 1 },
          { name: 'Tidings, event per 100', value: crowd.product },
        ],
      },
    } satisfies Result
  },
}

type Measured = { product: number; bare: number; ratio: number; notes: string[] }

async function measureShape(bench: Bench, stage: Stage, shape: Shape | undefined): Promise<Measured> {
  if (!shape) throw new Error('there are two shapes')
  const rounds = bySize(bench.size, { quick: 2, small: 1, medium: 3, full: 5 })
  const total = bySize(bench.size, { quick: 15_000, small: 5_000, medium: 20_000, full: 40_000 })
  const [tenant, bareTenant] = [await stage.tenant(), await stage.tenant()]
  await stage.workflow(tenant, inAppSteps)
  await seedPeople(stage, tenant, people)
  const target = {
    url: stage.databaseUrl,
    environmentId: bareTenant.environmentId,
    people: await seedPeople(stage, bareTenant, people),
  }

  await runProduct(stage, tenant, shape.bodies(40))
  const pageSize = await pageSizeOf(stage, tenant)
  const sample = await readSample({ url: stage.databaseUrl, ...tenant, notifications: pageSize, withEvents: true })
  const best = await findConnections(bench, sample, target, pageSize)

  const [product, bare]: [number[], number[]] = [[], []]
  for (let round = 1; round <= rounds; round++) {
    const before = await writeBare(sample, target, { total: total / 2, pageSize, connections: best })
    product.push(await runProduct(stage, tenant, shape.bodies(total / 100)))
    const after = await writeBare(sample, target, { total: total / 2, pageSize, connections: best })
    bare.push((before + after) / 2)
    bench.say(
      `${shape.name}, round ${round}: bare ${format(bare.at(-1) ?? 0)}/s, Tidings ${format(product.at(-1) ?? 0)}/s`,
    )
  }
  await check(stage, tenant)
  const rows = rowsPerNotification(sample).map((it) => `${it.table} ${format(it.rows)}`)
  const ratios = product.map((value, n) => value / (bare[n] ?? 1))
  return {
    product: median(product),
    bare: median(bare),
    ratio: median(ratios),
    notes: [
      `${shape.name}: rows per notification ${rows.join(', ')}; ${pageSize} notifications per transaction; bare over ${best} connection${best > 1 ? 's' : ''}; ${rounds} rounds of ${format(total)}, medians; ratios ${ratios.map((it) => it.toFixed(2)).join(', ')}.`,
    ],
  }
}

/** Answers notifications per second. */
export async function runProduct(stage: Stage, tenant: Tenant, bodies: Buffer[]): Promise<number> {
  const before = await countMessages(stage, tenant)
  const started = performance.now()
  const target = { url: stage.api.url, key: tenant.key, path: bulkPath }
  await sendLoad(target, { bodies, connections })
  await untilExpanded(stage, tenant, mostMs)
  const seconds = (performance.now() - started) / 1000
  const made = (await countMessages(stage, tenant)) - before
  if (made !== bodies.length * 100) throw new Error(`${bodies.length * 100} were triggered, ${made} are there`)
  return made / seconds
}

async function findConnections(
  bench: Bench,
  sample: Sample,
  target: Parameters<typeof writeBare>[1],
  pageSize: number,
): Promise<number> {
  const tried: { connections: number; perSecond: number }[] = []
  const total = bySize(bench.size, { quick: 8_000, small: 4_000, medium: 10_000, full: 20_000 })
  for (const connections of [1, 2, 4]) {
    tried.push({ connections, perSecond: await writeBare(sample, target, { total, pageSize, connections }) })
  }
  bench.say(`bare: ${tried.map((it) => `${it.connections} connections ${format(it.perSecond)}/s`).join(', ')}`)
  return tried.toSorted((a, b) => b.perSecond - a.perSecond)[0]?.connections ?? 1
}

/** That it is really there is looked at through the front door. */
async function check(stage: Stage, tenant: Tenant): Promise<void> {
  for (const n of [0, 7, 4_999]) {
    const feed = (await stage.get(tenant, `/v1/subscribers/s-${n}/notifications/feed`)) as {
      data: { content: string }[]
    }
    if (!feed.data[0]?.content.startsWith('Hello Ada, your order')) throw new Error(`s-${n} does not see its message`)
  }
}
