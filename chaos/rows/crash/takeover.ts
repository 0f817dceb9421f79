import { setTimeout as sleep } from 'node:timers/promises'
import { expectAtLeast, expectThat } from '../../lib/red.ts'
import { makeWorkflow, onlyQueued, startLoad, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation, checkDelivered, waitUntilDrained } from '../../oracles/delivery.ts'

const limitSeconds = 20

/** The only worker dies with tasks in hand, the API lives; another worker begins at once. */
export async function takeover(world: World): Promise<string> {
  const tenant = await world.tenant()
  const [api, first] = await Promise.all([world.startNode(onlyQueued), world.startNode({}, 'worker')])
  await makeWorkflow(api.url, tenant)
  const load = startLoad(world, { tenant, target: { url: api.url }, workflowId, clients: 4, bulk: [50, 100] })
  await untilFirstPage(world)
  await sleep(world.small ? 100 : 1_000)
  await untilInHand(world)
  await first.kill()
  const killed = performance.now()
  // At once: after a while the engine takes from a dead worker what it had in hand.
  const active = await countTasks(world, 'active')
  const waiting = await countTasks(world, 'created')
  await load.stop()
  const starting = performance.now()
  const second = await world.startNode({}, 'worker')
  const startMs = performance.now() - starting
  await waitUntilDrained(world, 60_000)
  // How long a process takes to start is the machine's affair: a fleet has its second worker running already.
  const seconds = (performance.now() - killed - startMs) / 1000
  const delivered = await checkDelivered(world, tenant, load.book)
  await checkConservation(world)
  await Promise.all([api.kill(), second.kill()])
  expectAtLeast(active, 1, 'tasks in the hands of the dead worker')
  expectThat(seconds < limitSeconds, `taken over after ${seconds.toFixed(1)} s instead of ${limitSeconds}`)
  return `killed with ${active} tasks in hand and ${waiting} queued; all delivered ${seconds.toFixed(1)} s later (limit ${limitSeconds}) and the ${(startMs / 1000).toFixed(1)} s that the next one took to start; ${delivered}`
}

async function countTasks(world: World, state: string): Promise<number> {
  const rows = await world.sql<{ count: number }>(
    "select count(*)::int as count from pgboss.job where name = 'expand-events' and state = $1",
    [state],
  )
  return rows[0]?.count ?? 0
}

/** A worker that is still warming up has nothing in hand that could be done twice. */
async function untilFirstPage(world: World): Promise<void> {
  const started = performance.now()
  while ((await world.sql('select 1 from notification limit 1')).length === 0) {
    expectThat(performance.now() - started < 20_000, 'no notification 20 s after the first trigger')
    await sleep(10)
  }
}

/** Between two tasks a worker has nothing to lose. */
async function untilInHand(world: World): Promise<void> {
  const started = performance.now()
  while ((await countTasks(world, 'active')) === 0) {
    expectThat(performance.now() - started < 20_000, 'the worker takes no task within 20 s under load')
    await sleep(5)
  }
}
