import { setTimeout as sleep } from 'node:timers/promises'
import { expectAtLeast, expectEqual } from '../../lib/red.ts'
import { bothWays, makeWorkflow, startLoad, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation, checkDelivered, waitUntilDrained } from '../../oracles/delivery.ts'

// Bytes sent this shortly before the signal may meet a connection that is already closed: no server can answer those.
const racingMs = 50

/** SIGTERM under load: what was in flight is answered, the process ends by itself, and the next one goes on. */
export async function drains(world: World): Promise<string> {
  const rounds = world.small ? 2 : 5
  const tenant = await world.tenant()
  let node = await world.startNode(bothWays, 'start')
  await makeWorkflow(node.url, tenant)
  const target: { url: string | null } = { url: node.url }
  const load = startLoad(world, { tenant, target, workflowId, clients: 12, bulk: [30, 60] })
  let [inFlight, racing, slowest] = [0, 0, 0]
  for (let n = 0; n < rounds; n++) {
    await sleep(world.random.integer(500, 1_200))
    const open = load.book.tries.filter((it) => it.ended === null)
    const signaled = performance.now()
    const stopping = node.stop()
    target.url = null
    expectEqual(await stopping, 'exit 0', `how the node ended:\n${node.output()}`)
    slowest = Math.max(slowest, performance.now() - signaled)
    const settled = open.filter((it) => it.started < signaled - racingMs)
    const failed = settled.filter((it) => it.outcome !== 'answered')
    expectEqual(failed.length, 0, `requests in flight at SIGTERM that were not answered, of ${settled.length}`)
    inFlight += settled.length
    racing += open.length - settled.length
    node = await world.startNode(bothWays, 'start')
    target.url = node.url
  }
  await load.stop()
  const seconds = await waitUntilDrained(world, 60_000)
  const delivered = await checkDelivered(world, tenant, load.book)
  await checkConservation(world)
  await node.kill()
  expectAtLeast(inFlight, rounds * 2, 'requests in flight at SIGTERM')
  return `${rounds} × SIGTERM, ${inFlight} requests in flight all answered (${racing} more sent within ${racingMs} ms of it); ended by itself within ${(slowest / 1000).toFixed(1)} s; ${delivered}; drained in ${seconds.toFixed(1)} s`
}
