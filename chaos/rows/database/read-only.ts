import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '../../../test/find-postgres.ts'
import { send } from '../../lib/http.ts'
import type { ApiNode } from '../../lib/process.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { bothWays, type Load, makeWorkflow, startLoad, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkHealed, checkLives } from './stage.ts'

const acceptWithinMs = 5_000

/**
 * As after a failover: the connections break, the new ones lead to a server that only reads, and when it takes writes
 * again nobody breaks them a second time. An API node and a worker, under load.
 */
export async function onlyReads(world: World): Promise<string> {
  const tenant = await world.tenant()
  const api = await world.startNode(bothWays, 'api')
  const worker = await world.startNode({}, 'worker')
  await makeWorkflow(api.url, tenant)
  const load = startLoad(world, {
    tenant,
    target: { url: api.url },
    workflowId,
    clients: 4,
    bulk: [5, 20],
    pauseMs: 50,
  })
  await sleep(1_500)

  await setReadOnly(world, true)
  const { acknowledged, tries } = load.book
  await sleep(1_000)
  const [before, triesBefore] = [acknowledged.size, tries.length]
  const until = performance.now() + (world.small ? 6_000 : 14_000)
  for (; performance.now() < until && !load.hasFailed(); await sleep(500)) {
    for (const node of [api, worker]) await checkNotReady(node)
  }
  const busy = tries.slice(triesBefore).filter((it) => it.outcome === 'busy').length
  if (!load.hasFailed()) {
    expectAtLeast(busy, 20, 'requests answered 503 + Retry-After while the database only read')
    expectEqual(acknowledged.size, before, 'events acknowledged by a database that only reads')
  }

  await setReadOnly(world, false)
  const since = performance.now()
  const firstMs = await untilAcknowledgedAgain(load, before, since)
  const readyMs = Math.max(...(await Promise.all([api, worker].map((node) => untilReady(node, since)))))
  const { seconds, delivered } = await checkHealed(world, { tenant, node: api, load }, before + 100)
  checkLives(worker)
  const dead = await world.sql("select 1 from pgboss.job where name = 'dead-letters'")
  expectEqual(dead.length, 0, 'dead letters')
  return `${busy} × 503 + Retry-After and neither node ready while the database only read; first acknowledgement ${firstMs.toFixed(0)} ms and both ready ${readyMs.toFixed(0)} ms after it took writes again; ${delivered}; no dead letter; drained ${seconds.toFixed(1)} s after the last request`
}

/** By another database: in its own the command would be refused, too. New connections find the setting. */
function setReadOnly(world: World, on: boolean): Promise<void> {
  const name = new URL(world.databaseUrl).pathname.slice(1)
  return admin(world.adminUrl, async (client) => {
    await client.query(`alter database ${name} set default_transaction_read_only = ${on}`)
    if (!on) return
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'tidings%'",
      [name],
    )
  })
}

async function checkNotReady(node: ApiNode): Promise<void> {
  const ready = await send(node.url, 'GET', '/health/ready')
  expectThat(ready.status === 503, `ready while the database only reads: ${ready.text}`)
  expectThat(ready.text.includes('only reads'), `not ready without the reason: ${ready.text}`)
}

async function untilAcknowledgedAgain(load: Load, before: number, since: number): Promise<number> {
  while (load.book.acknowledged.size === before && !load.hasFailed()) {
    expectThat(performance.now() - since < acceptWithinMs, `accepts nothing ${acceptWithinMs / 1000} s after`)
    await sleep(10)
  }
  // Tells what the clients met.
  if (load.hasFailed()) await load.stop()
  return performance.now() - since
}

async function untilReady(node: ApiNode, since: number): Promise<number> {
  for (;;) {
    const ready = await send(node.url, 'GET', '/health/ready')
    if (ready.status === 200) return performance.now() - since
    expectThat(performance.now() - since < acceptWithinMs, `not ready ${acceptWithinMs / 1000} s after: ${ready.text}`)
    await sleep(50)
  }
}
