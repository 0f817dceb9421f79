import { readSample, writeBare } from '../bare.ts'
import { bulkBodies, bulkPath, crowdBodies, inAppSteps, singleBodies, singlePath } from '../lib/events.ts'
import { sendLoad } from '../lib/load.ts'
import { format } from '../lib/numbers.ts'
import { bySize, type Figure, type Series } from '../lib/series.ts'
import { openStage, pageSizeOf, type Stage, seedPeople, type Tenant, untilExpanded } from '../lib/stage.ts'
import { readUsage, type Usage } from '../lib/usage.ts'

const people = 20_000

type Cost = {
  statements: number | null
  transactions: number
  walBytes: number
  api: number
  worker: number
  postgres: number
}

/** What one in-app notification costs, and what its rows alone would. */
export const cost: Series = {
  id: 'g',
  title: 'Cost of a notification',
  async run(bench) {
    const total = bySize(bench.size, { quick: 10_000, small: 5_000, medium: 20_000, full: 40_000 })
    const stage = await openStage(bench.cluster)
    const tenant = await stage.tenant()
    await stage.workflow(tenant, inAppSteps)
    const ids = await seedPeople(stage, tenant, people)
    await run(stage, tenant, bulkBodies(20, people))
    const single = await costOf(stage, total, () => run(stage, tenant, bulkBodies(total / 100, people)))
    const pageSize = await pageSizeOf(stage, tenant)
    const sample = await readSample({ url: stage.databaseUrl, ...tenant, notifications: pageSize, withEvents: true })
    const crowd = await costOf(stage, total, () => run(stage, tenant, crowdBodies(total / 100, people)))
    const calls = total / 20
    const alone = await costOf(stage, calls, () => run(stage, tenant, singleBodies(calls, people), singlePath))
    const bareTarget = { url: stage.databaseUrl, ...(await stage.tenant()), people: ids }
    const bare = await costOf(stage, total, () => writeBare(sample, bareTarget, { total, pageSize, connections: 2 }))
    await stage.close()
    return {
      figures: [
        ...toFigures(single, '', { floor: { most: bench.size === 'full' ? 0.5 : 1 }, goal: { most: 0.1 } }),
        ...toFigures(crowd, ' (an event per 100 people)'),
        ...toFigures(alone, ' (single triggers)'),
      ],
      notes: [
        'In bulks of 100 calls; begin and commit count as statements; processor time of the API, of the worker (all threads) and of all processes of PostgreSQL.',
        `The same rows written bare: ${format(bare.walBytes)} bytes of WAL and ${format(bare.postgres)} ms of PostgreSQL's processor time per notification.`,
      ],
      plot: {
        kind: 'bars',
        title: 'Processor time per notification (an event per person)',
        y: 'CPU ms',
        bars: [
          { name: 'API', value: single.api },
          { name: 'worker', value: single.worker },
          { name: 'PostgreSQL', value: single.postgres },
          { name: 'PostgreSQL, bare', value: bare.postgres, tone: 1 },
        ],
      },
    }
  },
}

async function run(stage: Stage, tenant: Tenant, bodies: Buffer[], path = bulkPath): Promise<void> {
  await sendLoad({ url: stage.api.url, key: tenant.key, path }, { bodies, connections: 4 })
  await untilExpanded(stage, tenant, 180_000)
}

async function costOf(stage: Stage, total: number, work: () => Promise<unknown>): Promise<Cost> {
  const before = await readUsage(stage)
  await work()
  const after = await readUsage(stage)
  const spent = (of: keyof Usage) => ((after[of] ?? 0) - (before[of] ?? 0)) / total
  return {
    statements: after.statements === null ? null : spent('statements'),
    transactions: spent('transactions'),
    walBytes: spent('walBytes'),
    api: spent('apiCpuMs'),
    worker: spent('workerCpuMs'),
    postgres: spent('postgresCpuMs'),
  }
}

function toFigures(spent: Cost, suffix: string, bounds: Pick<Figure, 'floor' | 'goal'> = {}): Figure[] {
  const statements: Figure =
    spent.statements === null
      ? { what: `transactions per notification${suffix}`, value: spent.transactions, unit: '' }
      : { what: `statements per notification${suffix}`, value: spent.statements, unit: '', ...bounds }
  return [
    statements,
    { what: `WAL per notification${suffix}`, value: spent.walBytes, unit: 'bytes' },
    { what: `processor time per notification${suffix}`, value: spent.api + spent.worker + spent.postgres, unit: 'ms' },
    { what: `- API${suffix}`, value: spent.api, unit: 'ms' },
    { what: `- worker${suffix}`, value: spent.worker, unit: 'ms' },
    { what: `- PostgreSQL${suffix}`, value: spent.postgres, unit: 'ms' },
  ]
}
