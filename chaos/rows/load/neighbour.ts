import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Tenant } from '../../lib/http.ts'
import { at, listAt } from '../../lib/json.ts'
import { times } from '../../lib/parallel.ts'
import { expectEqual, expectThat } from '../../lib/red.ts'
import { makeWorkflow, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation } from '../../oracles/delivery.ts'

const peoplePerEvent = 120 // more than a hundred: the bulk lane
const eventsPerTask = 2
const probes = 5
// The backlog before it takes tens of seconds. A worker that took too much puts it back and looks again after two seconds.
const seenWithinMs = 4_000

/**
 * One environment has queued more bulk work than the worker does in many seconds. First it has the worker to itself: how
 * fast is that? Then another environment queues single pieces in the same lane, behind all of it: they do not wait for it.
 */
export async function noisyNeighbour(world: World): Promise<string> {
  const tasks = world.small ? 40 : 60
  const [noisy, quiet] = await Promise.all([world.tenant(), world.tenant()])
  const api = await world.startNode()
  await Promise.all([makeWorkflow(api.url, noisy), makeWorkflow(api.url, quiet)])
  await makeOneMemberTopic(api.url, quiet)

  let perSecond = 0
  if (!world.small) {
    await queue(api.url, noisy, tasks)
    const worker = await world.startNode({}, 'worker')
    const began = performance.now()
    await untilDone(world, noisy)
    perSecond = Math.round((tasks * eventsPerTask * peoplePerEvent) / ((performance.now() - began) / 1000))
    await worker.stop()
  }

  await queue(api.url, noisy, tasks)
  await world.startNode({}, 'worker')
  const waits: number[] = []
  for (let n = 1; n <= probes; n++) waits.push(await seen(api.url, quiet, n))
  const left = await countWaiting(world, noisy)
  expectThat(left > 0, 'the noisy environment was done before the quiet one had asked')
  await untilDone(world, noisy)
  await checkConservation(world)
  const slowest = Math.max(...waits)
  expectThat(slowest < seenWithinMs, `the quiet environment waited ${slowest.toFixed(0)} ms behind the noisy one`)
  return `${tasks} bulk tasks of one environment alone: ${perSecond} notifications/s; another's five in the same lane, behind them: seen after ${waits.map((ms) => ms.toFixed(0)).join(', ')} ms, ${left} events of the noisy one still waiting`
}

async function queue(url: string, tenant: Tenant, tasks: number): Promise<void> {
  const to = times(peoplePerEvent, (n) => `person-${n}`)
  const events = times(eventsPerTask, () => ({ name: workflowId, to }))
  for (let n = 0; n < tasks; n++) {
    const reply = await send(url, 'POST', '/v1/events/trigger/bulk', { key: tenant.key, body: { events } })
    expectEqual(at(reply.body, 0, 'status'), 'processed', `a trigger: ${reply.text}`)
  }
}

async function makeOneMemberTopic(url: string, { key }: Tenant): Promise<void> {
  await send(url, 'POST', '/v2/subscribers', { key, body: { subscriberId: 'quiet' } })
  await send(url, 'POST', '/v2/topics/one/subscriptions', { key, body: { subscriptions: ['quiet'] } })
}

/** From the trigger to the feed, in milliseconds. */
async function seen(url: string, { key }: Tenant, count: number): Promise<number> {
  const started = performance.now()
  const events = [{ name: workflowId, to: { type: 'Topic', topicKey: 'one' } }]
  await send(url, 'POST', '/v1/events/trigger/bulk', { key, body: { events } })
  while (performance.now() - started < 60_000) {
    const feed = await send(url, 'GET', '/v1/subscribers/quiet/notifications/feed', { key })
    if (listAt(feed.body, 'data').length === count) break
    await sleep(10)
  }
  return performance.now() - started
}

async function countWaiting(world: World, { environmentId }: Tenant): Promise<number> {
  const rows = await world.sql<{ n: number }>(
    `select count(*)::int as n from event where environment_id = $1 and state = 'accepted'`,
    [environmentId],
  )
  return rows[0]?.n ?? 0
}

async function untilDone(world: World, tenant: Tenant): Promise<void> {
  const deadline = performance.now() + 120_000
  while ((await countWaiting(world, tenant)) > 0) {
    expectThat(performance.now() < deadline, 'the noisy environment is not done after two minutes')
    await sleep(50)
  }
}
