import { setTimeout as sleep } from 'node:timers/promises'
import { expectAtLeast } from '../../lib/red.ts'
import {
  bothWays,
  makeWorkflow,
  startLoad,
  untilAcknowledged,
  untilAnswered,
  untilInFlight,
  workflowId,
} from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation, checkDelivered, waitUntilDrained } from '../../oracles/delivery.ts'

// CHAOS_KILLS=100 is for the long run.
export const fullKills = Number(process.env.CHAOS_KILLS ?? 30)

/**
 * kill -9 at random moments under a load of bulk triggers; every third time the second worker dies with it. Every second
 * node lives until it has answered once: on a slow machine, all of them would otherwise be killed before.
 */
export async function kills(world: World): Promise<string> {
  const wanted = world.small ? 6 : fullKills
  const tenant = await world.tenant()
  let [node, second] = await Promise.all([world.startNode(bothWays, 'start'), world.startNode(bothWays, 'worker')])
  await makeWorkflow(node.url, tenant)
  const target: { url: string | null } = { url: node.url }
  const load = startLoad(world, { tenant, target, workflowId, clients: 4, bulk: [10, 50], pauseMs: 60 })
  let [underFire, killed, ready] = [0, 0, performance.now()]
  for (let n = 0; n < wanted && !load.hasFailed(); n++) {
    await sleep(world.random.integer(50, 500))
    if (n % 2 === 1) await untilAnswered(load, ready)
    await untilInFlight(load)
    if (load.inFlight() > 0) underFire++
    const both = n % 3 === 2
    await Promise.all([node.kill(), both && second.kill()])
    target.url = null
    ;[node, second] = await Promise.all([
      world.startNode(bothWays, 'start'),
      both ? world.startNode(bothWays, 'worker') : second,
    ])
    target.url = node.url
    ready = performance.now()
    killed++
  }
  await untilAcknowledged(load, world.small ? 200 : 1_000)
  await load.stop()
  // What died several times waits for some ten seconds before it is tried again.
  const seconds = await waitUntilDrained(world, 120_000)
  const delivered = await checkDelivered(world, tenant, load.book)
  await checkConservation(world)
  await Promise.all([node.kill(), second.kill()])
  expectAtLeast(underFire, Math.floor(wanted * 0.84), 'kills while requests were in flight')
  const cut = load.book.tries.filter((it) => it.outcome === 'no reply').length
  return `${killed} × kill -9, ${underFire} with requests in flight (${cut} cut off); ${delivered}; drained ${seconds.toFixed(1)} s after the last restart`
}
