import { setTimeout as sleep } from 'node:timers/promises'
import { expectAtLeast } from '../../lib/red.ts'
import { makeWorkflow, startLoad, untilAcknowledged, untilInFlight, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation, checkDelivered, waitUntilDrained } from '../../oracles/delivery.ts'

/** kill -9 at random moments under a load of bulk triggers; every third time the second worker dies with it. */
export async function kills(world: World): Promise<string> {
  const wanted = world.small ? 6 : 30
  const tenant = await world.tenant()
  let [node, second] = await Promise.all([world.startNode({}, 'start'), world.startNode({}, 'worker')])
  await makeWorkflow(node.url, tenant)
  const target: { url: string | null } = { url: node.url }
  const load = startLoad(world, { tenant, target, workflowId, clients: 4, bulk: [10, 50], pauseMs: 60 })
  let underFire = 0
  for (let n = 0; n < wanted; n++) {
    await sleep(world.random.integer(50, 500))
    await untilInFlight(load)
    if (load.inFlight() > 0) underFire++
    const both = n % 3 === 2
    await Promise.all([node.kill(), both && second.kill()])
    target.url = null
    ;[node, second] = await Promise.all([world.startNode({}, 'start'), both ? world.startNode({}, 'worker') : second])
    target.url = node.url
  }
  await untilAcknowledged(load, world.small ? 200 : 1_000)
  await load.stop()
  const seconds = await waitUntilDrained(world, 60_000)
  const delivered = await checkDelivered(world, tenant, load.book)
  await checkConservation(world)
  await Promise.all([node.kill(), second.kill()])
  expectAtLeast(underFire, Math.floor(wanted * 0.84), 'kills while requests were in flight')
  const cut = load.book.tries.filter((it) => it.outcome === 'no reply').length
  return `${wanted} × kill -9, ${underFire} with requests in flight (${cut} cut off); ${delivered}; drained ${seconds.toFixed(1)} s after the last restart`
}
