import { setTimeout as sleep } from 'node:timers/promises'
import { checkConservation, checkDelivered, waitUntilDrained } from '../lib/delivery-oracle.ts'
import { send } from '../lib/http.ts'
import { expectAtLeast, expectEqual } from '../lib/red.ts'
import { makeWorkflow, startLoad, workflowId } from '../lib/trigger-load.ts'
import type { World } from '../lib/world.ts'

/** Every connection of the process is ended every 200 ms for 5 s, whatever it was doing. */
export async function terminates(world: World): Promise<string> {
  const rounds = 25
  const tenant = await world.tenant()
  const node = await world.startNode({}, 'start')
  await makeWorkflow(node.url, tenant)
  const load = startLoad(world, {
    tenant,
    target: { url: node.url },
    workflowId,
    clients: 4,
    bulk: [10, 30],
    pauseMs: 20,
  })
  await sleep(500)
  let ended = 0
  for (let n = 0; n < rounds; n++) {
    const rows = await world.sql(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'tidings%'`)
    ended += rows.length
    await sleep(200)
  }
  const storm = performance.now()
  await sleep(1_000)
  await load.stop()
  const seconds = await waitUntilDrained(world, 60_000)
  const healed = (performance.now() - storm) / 1000
  expectEqual(node.ended(), null, `the process did not live through it:\n${node.output().slice(-1500)}`)
  const ready = await send(node.url, 'GET', '/health/ready')
  expectEqual(ready.status, 200, `ready after the storm: ${ready.text}`)
  const delivered = await checkDelivered(world, tenant, load.book)
  await checkConservation(world)
  await node.kill()
  const busy = load.book.tries.filter((it) => it.outcome === 'busy').length
  expectAtLeast(ended, rounds * 4, 'connections ended')
  expectAtLeast(busy, 10, 'requests answered 503 + Retry-After')
  expectAtLeast(load.book.acknowledged.size, 200, 'acknowledged events')
  return `${ended} connections ended in ${rounds} blows: ${busy} × 503 + Retry-After; ${delivered}; all delivered ${healed.toFixed(1)} s after the last blow (${seconds.toFixed(1)} s after the last request)`
}
