import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Tenant } from '../../lib/http.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation } from '../../oracles/delivery.ts'

const limitSeconds = 5
// Events to a digest: some joined long before the kill, some just before.
const perDigest = 4

/** kill -9 while delays and digests wait; started again when all of them are overdue: each fires once, and soon. */
export async function waiting(world: World): Promise<string> {
  const [delays, digests, waitSeconds] = world.small ? [450, 50, 15] : [4_500, 500, 60]
  const tenant = await world.tenant()
  const first = await world.startNode({}, 'start')
  await makeWaitingWorkflows(first.url, tenant, waitSeconds)
  const began = performance.now()
  await triggerAll(first.url, tenant, delays, digests)
  await until(world, 'events still to be expanded', "select 1 from event where state = 'accepted' limit 1")
  const [before] = await countJobs(world, tenant)
  await first.kill()
  expectThat(before?.done === 0, `${before?.done} were due ${waitSeconds} s before their time, or this machine is slow`)
  expectAtLeast(before?.waiting ?? 0, delays + digests, 'delays and digests that wait')

  await sleep(Math.max(0, waitSeconds * 1000 - (performance.now() - began)))
  await until(world, 'not due', 'select 1 from job where run_at > clock_timestamp() limit 1')
  await sleep(3_000)
  const second = await world.startNode({}, 'start')
  const ready = performance.now()
  await until(world, 'not fired', "select 1 from job where status in ('delayed', 'pending', 'queued') limit 1", 20_000)
  const seconds = (performance.now() - ready) / 1000
  const told = await checkFired(world, tenant, { delays, digests })
  await checkConservation(world)
  await second.kill()
  expectThat(
    seconds < limitSeconds,
    `all had fired ${seconds.toFixed(1)} s after the restart instead of ${limitSeconds}`,
  )
  return `killed with ${before?.waiting} delays and digests waiting; ${told} within ${seconds.toFixed(1)} s of the restart (limit ${limitSeconds})`
}

export async function makeWaitingWorkflows(url: string, tenant: Tenant, amount: number): Promise<void> {
  for (const type of ['delay', 'digest']) {
    const steps = [
      { name: 'Wait', type, controlValues: { amount, unit: 'seconds' } },
      { name: 'Inbox', type: 'in_app', controlValues: { body: '{{step.eventCount}}' } },
    ]
    const made = await send(url, 'POST', '/v2/workflows', {
      key: tenant.key,
      body: { workflowId: type, name: type, steps },
    })
    expectEqual(made.status, 201, `making a workflow: ${made.text}`)
  }
}

/** Each delay is for somebody else, and so is each digest. */
async function triggerAll(url: string, tenant: Tenant, delays: number, digests: number): Promise<void> {
  const events = [
    ...times(delays, (n) => ({ name: 'delay', to: `delayed-${n}` })),
    ...times(digests * perDigest, (n) => ({ name: 'digest', to: `gathered-${n % digests}` })),
  ]
  const bulks = times(Math.ceil(events.length / 100), (n) => events.slice(n * 100, (n + 1) * 100))
  await inParallel(bulks, 4, async (bulk) => {
    const reply = await send(url, 'POST', '/v1/events/trigger/bulk', { key: tenant.key, body: { events: bulk } })
    expectEqual(reply.status, 201, `triggering: ${reply.text}`)
  })
}

/** Until the query finds nothing any more. */
async function until(world: World, what: string, query: string, withinMs = 60_000): Promise<void> {
  const started = performance.now()
  while ((await world.sql(query)).length > 0) {
    expectThat(performance.now() - started < withinMs, `after ${withinMs / 1000} s there are some ${what}`)
    await sleep(50)
  }
}

/** Of this row's own tenant: rows before it left theirs in the same database. */
const countJobs = (world: World, { environmentId }: Tenant) =>
  world.sql<{ waiting: number; done: number }>(
    `select count(*) filter (where status = 'delayed')::int as waiting,
      count(*) filter (where type in ('delay', 'digest') and status = 'completed')::int as done
    from job where environment_id = $1`,
    [environmentId],
  )

/** Every delay is one message of its person; the digests of a person add up to the events, one message to a window. */
async function checkFired(
  world: World,
  { environmentId }: Tenant,
  { delays, digests }: { delays: number; digests: number },
): Promise<string> {
  const rows = await world.sql<{ who: string; messages: number; gathered: number; windows: number }>(
    `select s.subscriber_id as who,
      (select count(*)::int from message m where m.environment_id = s.environment_id and m.subscriber_id = s.id) as messages,
      (select coalesce(sum(m.content::int), 0)::int from message m
        where m.environment_id = s.environment_id and m.subscriber_id = s.id) as gathered,
      (select count(*)::int from notification n join job j on j.environment_id = n.environment_id and j.notification_id = n.id
        where n.environment_id = s.environment_id and n.subscriber_id = s.id
          and j.type in ('delay', 'digest') and j.status = 'completed') as windows
    from subscriber s where s.environment_id = $1`,
    [environmentId],
  )
  const faults = collectFaults()
  let windowCount = 0
  for (const { who, messages, gathered, windows } of rows) {
    if (messages !== windows) faults.add(`${who}: ${windows} waits were over, ${messages} messages came`)
    if (!who.startsWith('gathered')) continue
    windowCount += messages
    if (gathered !== perDigest) faults.add(`${who}: the digests tell of ${gathered} events instead of ${perDigest}`)
  }
  if (rows.length !== delays + digests) faults.add(`${rows.length} people instead of ${delays + digests}`)
  faults.end()
  return `${delays} delays and ${windowCount} digests of ${digests * perDigest} events fired once each`
}
