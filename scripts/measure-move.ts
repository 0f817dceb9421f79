/**
 * npm run measure-move -- --subscribers 1000000 --notifications 1000000 --rate 30
 *
 * An environment with so much history is moved from one cell to another and back, under load through the gateway, with
 * delays, digests, retries and mails in flight. Three PostgreSQL, three API nodes, three workers, a gateway and the mover
 * are started on this machine, and share it: so the latency of the other cells is also that of a busy machine.
 * `--apart`: what is moved between has one processor, and the third cell, the gateway and the clients have the other, as
 * if they were machines. Ends with 1 when anything was lost, doubled or refused, or held for two seconds.
 */
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { runToEnd } from '../chaos/lib/clean-up.ts'
import type { Tenant } from '../chaos/lib/http.ts'
import { openPostgres } from '../chaos/lib/postgres.ts'
import { openWorld } from '../chaos/lib/world.ts'
import {
  equipTenant,
  failedCalls,
  type MixedLoad,
  startMixedLoad,
  triggerMany,
} from '../chaos/rows/cells/mixed-load.ts'
import { longestCall, move } from '../chaos/rows/cells/mover.ts'
import { latencyOf, type Probe, startProbe } from '../chaos/rows/cells/probe.ts'
import { type Cell, type CellName, type CellStage, closeCellStage, openCellStage } from '../chaos/rows/cells/stage.ts'
import { judgeMoved } from '../chaos/rows/cells/verdict.ts'
import { watchStates } from '../chaos/rows/cells/watch-states.ts'
import { openDatabase } from '../src/store/database.ts'
import { progressBar } from './progress-bar.ts'
import { seedHistory } from './seed-history.ts'

const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '1000000' },
    notifications: { type: 'string', default: '1000000' },
    /** Events a second that clients trigger, about. */
    rate: { type: 'string', default: '30' },
    /** Delays that are waiting when the first move begins. */
    delays: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    apart: { type: 'boolean', default: false },
  },
})
const [subscribers, notifications] = [Number(values.subscribers), Number(values.notifications)]
const peoplePerInsert = 20_000
const baselineMs = 20_000
const clients = 6
// Ends what hangs; a million people and their history take some minutes.
const mostMs = 1_800_000
// A call triggers 1.75 events, taken over all.
const eventsPerCall = 1.75

await runToEnd(async () => {
  const world = await openWorld({ server: await openPostgres(), seed: Number(values.seed), small: false, edits: [] })
  const stage = await openCellStage(world, {})
  if (values.apart) await setApart(stage)
  const tenant = await stage.tenant('ca')
  // Long enough that they fire during the first move and after it.
  await equipTenant(stage.gatewayUrl, tenant, stage.providers, 60 + Math.round(notifications / 10_000))
  await fill(stage, tenant)
  const neighbours = new Map<CellName, Probe>()
  for (const cell of ['ca', 'cb', 'cc'] as const)
    neighbours.set(cell, await startProbe(stage.gatewayUrl, await stage.tenant(cell), 200))
  const pauseMs = Math.max(0, (clients * eventsPerCall * 1000) / Number(values.rate) - 30)
  const load = startMixedLoad({ url: stage.gatewayUrl, tenant, random: world.random, clients, pauseMs })
  await triggerMany(load, stage.gatewayUrl, tenant, 'long', Number(values.delays))
  const watch = watchStates(stage, tenant.environmentId)
  let isGood = true
  for (const to of ['cb', 'ca'] as const) isGood = (await moveOnce(stage, tenant, to, load, neighbours)) && isGood
  await load.stop()
  for (const probe of neighbours.values()) await probe.stop()
  console.log(`\n${await judgeMoved(stage, 'ca', tenant, load.book, 600_000)}`)
  console.log(`${await watch.stop()}; failed calls: ${failedCalls(load.book) || 'none'}`)
  if (!isGood || failedCalls(load.book) !== '') process.exitCode = 1
  await closeCellStage(stage)
  await world.close()
})

async function moveOnce(
  stage: CellStage,
  tenant: Tenant,
  to: CellName,
  load: MixedLoad,
  neighbours: ReadonlyMap<CellName, Probe>,
): Promise<boolean> {
  const quietFrom = performance.now()
  await new Promise((resolve) => setTimeout(resolve, baselineMs))
  const [from, before] = [performance.now(), load.acknowledged()]
  const { times, steps } = await move(stage, tenant, to, mostMs)
  const end = performance.now()
  const calls = load.book.calls.filter(({ started }) => started >= from && started < end)
  const failed = calls.filter(({ status }) => status !== 201).length
  const { copy, verify, drain, held, 'full compare': compared, 'tasks copied': tasks, ...parts } = times
  const rate = ((load.acknowledged() - before) / ((end - from) / 1000)).toFixed(0)
  console.log(`\nto ${to} in ${seconds(end - from)} s, ${load.acknowledged() - before} events acknowledged (${rate}/s)`)
  console.log(`  copied in ${seconds(copy)} s, verified in ${seconds(verify)} s, drained in ${seconds(drain)} s`)
  console.log(
    `  held for ${held} ms: ${Object.entries(parts)
      .map(([part, ms]) => `${part} ${ms}`)
      .join(', ')}; ${tasks} tasks`,
  )
  console.log(`  compared afterwards in ${seconds(compared)} s`)
  console.log(`  ${calls.length} calls, the longest ${longestCall(calls, steps)}, ${failed} failed`)
  for (const [cell, probe] of neighbours) {
    const told = [latencyOf(probe.calls, quietFrom, from), latencyOf(probe.calls, from, end)].map(
      ({ p50, p99, failed: refused }) =>
        `p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} ms${refused ? `, ${refused} FAILED` : ''}`,
    )
    console.log(`  another environment of ${cell}: ${told.join(' → ')}`)
  }
  return failed === 0 && (held ?? Number.POSITIVE_INFINITY) < 2_000
}

/** Whatever these start later stays with them. */
async function setApart(stage: CellStage): Promise<void> {
  const [moved, others] = [[] as number[], [process.pid, stage.gateway().pid]]
  for (const { name, cluster, api, worker } of stage.cells.values()) {
    const [file] = await cluster.sql<{ text: string }>("select pg_read_file('postmaster.pid') as text")
    const own = name === 'cc' ? others : moved
    own.push(api.pid, worker.pid, Number(file?.text.split('\n')[0]))
  }
  for (const [processor, pids] of [moved, others].entries())
    for (const pid of pids) execFileSync('taskset', ['-apc', String(processor), String(pid)], { stdio: 'ignore' })
}

function seconds(ms = Number.NaN): string {
  return (ms / 1000).toFixed(1)
}

/** People and their history, made inside PostgreSQL. */
async function fill(stage: CellStage, { environmentId, organizationId }: Tenant): Promise<void> {
  const { cluster } = stage.cells.get('ca') as Cell
  const show = progressBar(subscribers, 'subscribers')
  for (let from = 0; from < subscribers; from += peoplePerInsert) {
    const to = Math.min(subscribers, from + peoplePerInsert) - 1
    await cluster.sql(
      `insert into subscriber (environment_id, id, subscriber_id, first_name, last_name, email, locale, data, updated_at)
       select $1, (substr(uuid_at(now())::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, 's-' || n,
         'Ada', 'Lovelace', 's-' || n || '@example.com', 'en-US', jsonb_build_object('n', n), now()
       from generate_series($2::int, $3::int) n`,
      [environmentId, from, to],
    )
    show(to + 1)
  }
  await cluster.sql('vacuum (analyze) subscriber')
  const database = openDatabase({
    url: cluster.url,
    poolSize: 2,
    rowLevelSecurity: false,
    onError() {},
    statementTimeoutMs: 0,
  })
  const env = { environmentId, organizationId, keyId: '' }
  const options = { total: notifications, now: new Date(), batchSize: 20_000, workflow: 'inbox' }
  await seedHistory(database.db, env, options)
  await database.close()
}
