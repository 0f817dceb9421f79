import { sampleWaits, shareNotQueued, type Waits } from '../lib/commit-waits.ts'
import { bulkBodies, bulkPath, inAppSteps, singleBodies, singlePath } from '../lib/events.ts'
import { sendLoad } from '../lib/load.ts'
import { format } from '../lib/numbers.ts'
import { hasTools, makeRows, type Rate, runPgbench, type Script } from '../lib/pgbench.ts'
import { checkRows } from '../lib/rows.ts'
import { type Bench, bySize, type Figure, type Result, type Series } from '../lib/series.ts'
import { openStage, type Stage, seedPeople, type Tenant, untilExpanded } from '../lib/stage.ts'
import { startStandby } from '../lib/standby.ts'

const delayMs = 1
const clientCounts = [16, 64]
const people = 100

type World = { bench: Bench; stage: Stage; tenants: Tenant[]; forMs: number; accepted: number }
/** `commits`: transactions that wrote something, of whichever process of ours. */
type Product = { perSecond: number; commits: number; waits: Waits }
type Bare = Rate & { waits: Waits }

type AtOnce = {
  clients: number
  plain: Bare
  notify: Bare
  /** One environment, then one for each caller. */
  single: Product
  spread: Product
}

/** Every commit waits for a server a millisecond away. What holds a lock meanwhile makes all others wait as well. */
export const standby: Series = {
  id: 'j',
  title: 'Commit behind a synchronous standby',
  async run(bench) {
    if (!hasTools(bench.cluster)) return withoutTools()
    const stage = await openStage(bench.cluster)
    const world: World = {
      bench,
      stage,
      tenants: await makeTenants(stage, Math.max(...clientCounts)),
      forMs: bySize(bench.size, { quick: 2_000, small: 3_000, medium: 6_000, full: 15_000 }),
      accepted: 0,
    }
    await makeRows(stage)
    // What is loaded and compiled once is no part of it.
    await runSpread(world, 16)
    const alone = await runPgbench(stage, 'plain', 1, world.forMs)
    const spreadAlone = await runSpread(world, 64)

    const behind = await measureBehind(world)
    await checkRows(stage, world.tenants, world.accepted)
    await stage.close()
    return toResult(bench, { alone, spreadAlone, ...behind })
  },
}

/** Whatever becomes of it, the next series has no standby. */
async function measureBehind(world: World): Promise<Pick<Measured, 'behind' | 'measured' | 'beside'>> {
  const { stage, bench, forMs } = world
  const { stop } = await startStandby(bench.cluster, delayMs)
  try {
    const behind = await runPgbench(stage, 'plain', 1, forMs)
    bench.say(`one client: ${format(behind.latencyMs)} ms a commit behind the standby`)
    const measured: AtOnce[] = []
    for (const clients of clientCounts) measured.push(await measureAt(world, clients))
    return { behind, measured, beside: await measureBeside(world) }
  } finally {
    await stop()
  }
}

async function makeTenants(stage: Stage, count: number): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  for (let n = 0; n < count; n++) {
    const tenant = await stage.tenant()
    await stage.workflow(tenant, inAppSteps)
    await seedPeople(stage, tenant, people)
    tenants.push(tenant)
  }
  return tenants
}

async function measureAt(world: World, clients: number): Promise<AtOnce> {
  const plain = await runBare(world, 'plain', clients)
  const notify = await runBare(world, 'notify', clients)
  const single = await runSingle(world, clients)
  const spread = await runSpread(world, clients)
  world.bench.say(
    `${clients} at a time: pgbench ${format(plain.perSecond)} commits/s, with NOTIFY ${format(notify.perSecond)}; Tidings ${format(single.perSecond)} triggers/s, in ${clients} environments ${format(spread.perSecond)}`,
  )
  return { clients, plain, notify, single, spread }
}

async function runBare({ stage, forMs }: World, script: Script, clients: number): Promise<Bare> {
  const { result, waits } = await sampleWaits(stage, 'pgbench', runPgbench(stage, script, clients, forMs))
  return { ...result, waits }
}

/** Of one environment: the product may put several into one transaction. */
async function runSingle(world: World, clients: number): Promise<Product> {
  const [tenant] = world.tenants
  if (!tenant) throw new Error('there are environments')
  return watch(world, () => load(world, tenant, { path: singlePath, bodies: singleBodies(people, people), clients }))
}

/** Every caller in an environment of its own, a bulk of one event: nothing can be put together, every call is a commit. */
async function runSpread(world: World, clients: number): Promise<Product> {
  const bodies = bulkBodies(people, people, 1)
  return watch(world, async () => {
    const calls = world.tenants.slice(0, clients).map((it) => load(world, it, { path: bulkPath, bodies, clients: 1 }))
    return (await Promise.all(calls)).reduce((sum, it) => sum + it, 0)
  })
}

type Calls = { path: string; bodies: Buffer[]; clients: number }

/** Answers how many were accepted a second. */
async function load(world: World, tenant: Tenant, { path, bodies, clients }: Calls): Promise<number> {
  const target = { url: world.stage.api.url, key: tenant.key, path }
  const sent = await sendLoad(target, { bodies, connections: clients, forMs: world.forMs })
  world.accepted += sent.latencies.length
  return sent.latencies.length / sent.seconds
}

async function watch(world: World, work: () => Promise<number>): Promise<Product> {
  const { stage } = world
  const [before, began] = [await writtenTransactions(stage), performance.now()]
  const { result, waits } = await sampleWaits(stage, 'product', work())
  const commits = ((await writtenTransactions(stage)) - before) / ((performance.now() - began) / 1000)
  for (const tenant of world.tenants) await untilExpanded(stage, tenant, 300_000)
  return { perSecond: result, commits, waits }
}

/** Only a transaction that writes gets a number. */
async function writtenTransactions(stage: Stage): Promise<number> {
  const [row] = await stage.sql<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next')
  return Number(row?.next)
}

type Beside = { product: Record<Script, Rate>; notifier: Record<Script, Rate> }

/** One client that notifies and one that does not, beside others: the first one waits where others hold the lock. */
async function measureBeside(world: World): Promise<Beside> {
  const { stage, bench, forMs } = world
  const besideProduct = async (script: Script) => {
    const [rate] = await Promise.all([runPgbench(stage, script, 1, forMs), runSpread(world, 64)])
    return rate
  }
  const besideNotifier = async (script: Script) => {
    const [rate] = await Promise.all([runPgbench(stage, script, 1, forMs), runPgbench(stage, 'notify', 16, forMs)])
    return rate
  }
  const beside = {
    product: { plain: await besideProduct('plain'), notify: await besideProduct('notify') },
    notifier: { plain: await besideNotifier('plain'), notify: await besideNotifier('notify') },
  }
  for (const [other, { plain, notify }] of Object.entries(beside)) {
    bench.say(
      `one client beside the ${other}: ${format(plain.latencyMs)} ms a commit, with NOTIFY ${format(notify.latencyMs)} ms`,
    )
  }
  return beside
}

type Measured = { alone: Rate; behind: Rate; spreadAlone: Product; measured: readonly AtOnce[]; beside: Beside }

function toResult(bench: Bench, all: Measured): Result {
  const { alone, behind, spreadAlone, measured, beside } = all
  const commits = (name: string, value: number): Figure => ({ what: name, value, unit: 'commits/s' })
  const ms = (what: string, value: number): Figure => ({ what, value, unit: 'ms' })
  const spread = measured.at(-1)?.spread
  return {
    figures: [
      ms('pgbench, one client, a commit alone', alone.latencyMs),
      ms('pgbench, one client, a commit behind the standby', behind.latencyMs),
      ...measured.flatMap((it) => figuresOf(bench, it)),
      {
        what: 'Tidings, 64 environments: with the standby against without',
        value: (spread?.perSecond ?? 0) / spreadAlone.perSecond,
        unit: '',
      },
      ms('one client beside Tidings, a commit', beside.product.plain.latencyMs),
      ms('one client beside Tidings, a commit with NOTIFY', beside.product.notify.latencyMs),
      commits('one client beside Tidings', beside.product.plain.perSecond),
      ms('one client beside 16 that notify, a commit', beside.notifier.plain.latencyMs),
      ms('one client beside 16 that notify, a commit with NOTIFY', beside.notifier.notify.latencyMs),
      commits('one client beside 16 that notify', beside.notifier.plain.perSecond),
    ],
    notes: [
      `A standby on the same cores and the same disk, behind a proxy that adds ${delayMs} ms each way; fsync is on for both. pgbench: transactions of one row. NOTIFY takes one lock for the whole cluster and holds it until the commit is done, so that commits with it follow one another.`,
      "Commits that do not queue: of all moments in which a connection was seen waiting at its commit, the share in which it waited for the standby, as all can at once, and not for that lock. The plain ratio to pgbench says mostly how much more than one row the product does for a commit on these cores, so it has no floor. pgbench's own shares show what the figure can tell: of commits that all carry NOTIFY, one in as many as there are clients goes on.",
      'Environments: as many as there are callers, each a bulk of one event, so that no two calls can share a transaction. Writing transactions: of the API and of the worker, counted by their numbers.',
    ],
    plot: {
      kind: 'bars',
      title: 'Commits that do not queue behind another (1: none does)',
      y: 'share',
      bars: measured.flatMap((it) => [
        { name: `pgbench ${it.clients}`, value: shareNotQueued(it.plain.waits), tone: 1 },
        { name: `with NOTIFY ${it.clients}`, value: shareNotQueued(it.notify.waits), tone: 2 },
        { name: `Tidings ${it.clients}`, value: shareNotQueued(it.spread.waits) },
      ]),
    },
  }
}

function figuresOf({ size }: Bench, { clients, plain, notify, single, spread }: AtOnce): Figure[] {
  const share = (name: string, { waits }: { waits: Waits }): Figure => ({
    what: `${clients} at a time: commits that do not queue, ${name}`,
    value: shareNotQueued(waits),
    unit: '',
  })
  const rate = (name: string, value: number, unit = 'commits/s'): Figure => ({
    what: `${clients} at a time: ${name}`,
    value,
    unit,
  })
  return [
    rate('pgbench', plain.perSecond),
    rate('pgbench with NOTIFY', notify.perSecond),
    rate('Tidings, one environment', single.perSecond, 'triggers/s'),
    rate('- its writing transactions', single.commits),
    rate('Tidings, as many environments', spread.perSecond, 'triggers/s'),
    rate('- its writing transactions (as many environments)', spread.commits),
    rate('Tidings, as many environments, against pgbench', spread.perSecond / plain.perSecond, ''),
    share('pgbench', plain),
    share('pgbench with NOTIFY', notify),
    { ...share('Tidings', single), ...floorOf(size) },
    { ...share('Tidings, as many environments', spread), ...floorOf(size) },
    rate('looks that saw Tidings wait for the lock', (100 * spread.waits.samplesWithLock) / spread.waits.samples, '%'),
  ]
}

/** A small run has too few looks to judge. */
function floorOf(size: Bench['size']): Pick<Figure, 'floor' | 'goal'> {
  return { ...(size === 'full' && { floor: { least: 0.8 } }), goal: { least: 0.95 } }
}

function withoutTools(): Result {
  return {
    figures: [],
    notes: ['Not measured: this PostgreSQL has no pgbench or no pg_basebackup.'],
    plot: { kind: 'bars', title: 'Not measured', y: '', bars: [] },
  }
}
