import { setTimeout as sleep } from 'node:timers/promises'
import { checkConservation, checkDelivered, waitUntilDrained } from '../lib/delivery-oracle.ts'
import { send } from '../lib/http.ts'
import { openPrivateServer } from '../lib/private-server.ts'
import type { ApiNode } from '../lib/process.ts'
import { expectAtLeast, expectEqual, expectThat } from '../lib/red.ts'
import { makeWorkflow, startLoad, workflowId } from '../lib/trigger-load.ts'
import type { World } from '../lib/world.ts'

const healWithinMs = 60_000

/** PostgreSQL is shut down without a checkpoint and started again, under load. The process must live through all of it. */
export async function restarts(outer: World): Promise<string> {
  const rounds = outer.small ? 2 : 7
  const { server, restart } = await openPrivateServer()
  const world = await outer.elsewhere(server)
  const tenant = await world.tenant()
  const node = await world.startNode({}, 'start')
  await makeWorkflow(node.url, tenant)
  const load = startLoad(world, {
    tenant,
    target: { url: node.url },
    workflowId,
    clients: 4,
    bulk: [5, 20],
    pauseMs: 150,
  })
  let [slowestHeal, longestGap] = [0, 0]
  for (let n = 0; n < rounds; n++) {
    await sleep(world.random.integer(1_000, 2_500))
    const began = performance.now()
    await restart()
    const up = performance.now()
    longestGap = Math.max(longestGap, up - began)
    await untilAccepted(node, load.book.acknowledged, up)
    slowestHeal = Math.max(slowestHeal, performance.now() - up)
  }
  await load.stop()
  const seconds = await waitUntilDrained(world, healWithinMs)
  const ready = await send(node.url, 'GET', '/health/ready')
  expectEqual(ready.status, 200, `ready after the last restart: ${ready.text}`)
  const delivered = await checkDelivered(world, tenant, load.book)
  await checkConservation(world)
  const busy = load.book.tries.filter((it) => it.outcome === 'busy').length
  const cut = load.book.tries.filter((it) => it.outcome === 'no reply').length
  await world.close()
  expectAtLeast(busy, rounds, 'requests answered 503 + Retry-After')
  expectAtLeast(load.book.acknowledged.size, outer.small ? 100 : 500, 'acknowledged events')
  return `${rounds} immediate restarts (gap ≤ ${(longestGap / 1000).toFixed(1)} s): ${busy} × 503 + Retry-After, ${cut} without reply; accepting again ≤ ${(slowestHeal / 1000).toFixed(1)} s after; ${delivered}; drained in ${seconds.toFixed(1)} s`
}

/** The clients go on by themselves: healed is when one of them is acknowledged again. */
async function untilAccepted(node: ApiNode, acknowledged: ReadonlySet<string>, since: number): Promise<void> {
  for (const before = acknowledged.size; acknowledged.size === before; await sleep(20)) {
    expectEqual(node.ended(), null, `the process did not live through a restart:\n${node.output().slice(-1500)}`)
    expectThat(performance.now() - since < healWithinMs, `accepts nothing ${healWithinMs / 1000} s after the restart`)
  }
}
