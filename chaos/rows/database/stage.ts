import { send, type Tenant } from '../../lib/http.ts'
import type { ApiNode } from '../../lib/process.ts'
import { expectEqual } from '../../lib/red.ts'
import { bothWays, type Load, makeWorkflow, startLoad, untilAcknowledged, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation, checkDelivered, waitUntilDrained } from '../../oracles/delivery.ts'

/** A node at work, while something happens to its database. */
export type UnderLoad = { tenant: Tenant; node: ApiNode; load: Load }

export const healWithinMs = 60_000

export async function startUnderLoad(
  world: World,
  rate: { bulk: readonly [min: number, max: number]; pauseMs: number },
): Promise<UnderLoad> {
  const tenant = await world.tenant()
  const node = await world.startNode(bothWays, 'start')
  await makeWorkflow(node.url, tenant)
  const load = startLoad(world, { tenant, target: { url: node.url }, workflowId, clients: 4, ...rate })
  return { tenant, node, load }
}

export type Healed = {
  /** From the last reply until nothing waited any more. */
  seconds: number
  delivered: string
  /** How often a client was told to come back, and how often it got no reply. */
  busy: number
  cut: number
}

/** Ends the load once it has done enough to prove anything. The same process is ready, and what it acknowledged is delivered. */
export async function checkHealed(
  world: World,
  { tenant, node, load }: UnderLoad,
  leastAcknowledged: number,
): Promise<Healed> {
  await untilAcknowledged(load, leastAcknowledged)
  await load.stop()
  const seconds = await waitUntilDrained(world, healWithinMs)
  checkLives(node)
  const ready = await send(node.url, 'GET', '/health/ready')
  expectEqual(ready.status, 200, `ready after the last fault: ${ready.text}`)
  const delivered = await checkDelivered(world, tenant, load.book)
  await checkConservation(world)
  const count = (outcome: string) => load.book.tries.filter((it) => it.outcome === outcome).length
  return { seconds, delivered, busy: count('busy'), cut: count('no reply') }
}

export function checkLives(node: ApiNode): void {
  expectEqual(node.ended(), null, `the process did not live through it:\n${node.output().slice(-1500)}`)
}
