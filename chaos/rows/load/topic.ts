import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Tenant } from '../../lib/http.ts'
import { at, listAt } from '../../lib/json.ts'
import type { ApiNode } from '../../lib/process.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { makeWorkflow, onlyQueued, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation } from '../../oracles/delivery.ts'

const topicKey = 'everyone'
// Some 300 MB, of which 40 are alive; without the flag that serve sets it was 440 and rising.
const mostMemoryMb = 360
const visibleWithinMs = 500

type Progress = { state: string; notified: number; cursor: string | null }

/**
 * One trigger to a topic of 100,000; the worker is killed in the middle. It goes on where it stood, in flat memory, and
 * meanwhile the single triggers of another environment are seen at once.
 */
export async function largeTopic(world: World): Promise<string> {
  const [members, limitMs] = world.small ? [3_000, 15_000] : [100_000, 60_000]
  const [noisy, quiet] = await Promise.all([world.tenant(), world.tenant()])
  // The quiet environment's work is to stand in the queue, too.
  const api = await world.startNode(onlyQueued)
  await Promise.all([makeWorkflow(api.url, noisy), makeWorkflow(api.url, quiet)])
  await fillTopic(world, api, noisy, members)
  let worker = await world.startNode({}, 'worker')
  const memory: number[] = []
  const watch = setInterval(() => worker.ended() === null && memory.push(worker.memoryMb('VmRSS')), 250)
  const quietMs: number[] = []
  try {
    await probe(api, quiet) // the first of all pays for what is loaded once
    await trigger(api, noisy, { type: 'Topic', topicKey })
    const began = performance.now()

    let before = await progressOf(world, noisy)
    for (; before.notified < members * 0.4; before = await progressOf(world, noisy)) {
      checkPlace(before)
      expectThat(performance.now() - began < limitMs, `only ${before.notified} of ${members} after ${limitMs / 1000} s`)
      await (world.small ? sleep(20) : sleep(200))
      if (!world.small) quietMs.push(await probe(api, quiet))
    }
    await worker.kill()
    const killedAfter = performance.now() - began
    const killedAt = await progressOf(world, noisy)
    expectThat(killedAt.notified < members, 'the worker was killed too late to prove anything')

    worker = await world.startNode({}, 'worker')
    const restarted = performance.now()
    let now = killedAt
    let resumed: number | null = null
    while (now.state === 'accepted') {
      const waited = performance.now() - (resumed ?? restarted)
      expectThat(
        waited < 90_000 && (resumed !== null || waited < 20_000),
        `stuck at ${now.notified} of ${members} after the kill`,
      )
      await sleep(world.small ? 20 : 200)
      if (!world.small && resumed) quietMs.push(await probe(api, quiet))
      const next = await progressOf(world, noisy)
      checkPlace(next)
      expectThat(next.notified >= now.notified, `went back from ${now.notified} to ${next.notified}`)
      if (next.notified > killedAt.notified) resumed ??= performance.now()
      now = next
    }
    const ended = performance.now()
    const activeMs = killedAfter + ended - (resumed ?? ended)
    const perSecond = Math.round(members / (activeMs / 1000))

    await checkReached(world, noisy, members)
    await checkConservation(world)
    const most = Math.max(...memory)
    expectThat(most < mostMemoryMb, `the worker grew to ${most} MB`)
    return `${members} members: killed at ${killedAt.notified} (cursor ${killedAt.cursor}), taken up ${seconds((resumed ?? ended) - restarted)} after the restart and resumed there, each reached once; ${perSecond} notifications/s; worker's resident MB over the run ${overTheRun(memory)}, at most ${most}; ${quietSays(world, quietMs)}`
  } finally {
    clearInterval(watch)
  }
}

function quietSays(world: World, all: readonly number[]): string {
  if (world.small) return 'no quiet tenant'
  expectAtLeast(all.length, 10, 'single triggers beside it')
  const sorted = all.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  expectThat(median < visibleWithinMs, `the quiet environment's median is ${median.toFixed(0)} ms`)
  return `${all.length} single triggers of another environment seen after ${median.toFixed(0)} ms (median), ${sorted.at(-1)?.toFixed(0)} ms (slowest)`
}

/** Twelve of them. */
function overTheRun(memory: readonly number[]): string {
  const every = Math.ceil(memory.length / 12)
  return memory.filter((_, n) => n % every === 0).join(' ')
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** By SQL: a thousand requests would only cost time. */
async function fillTopic(world: World, api: ApiNode, tenant: Tenant, members: number): Promise<void> {
  const made = await send(api.url, 'POST', '/v2/topics', { key: tenant.key, body: { key: topicKey } })
  expectThat(made.status < 300, `making the topic: ${made.text}`)
  const env = tenant.environmentId
  await world.sql(
    `insert into subscriber (environment_id, id, subscriber_id, first_name, updated_at)
     select $1, gen_random_uuid(), 'member-' || n, 'Member ' || n, now() from generate_series(1, $2::int) n`,
    [env, members],
  )
  await world.sql(
    `insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
     select s.environment_id, t.id, gen_random_uuid(), s.id from subscriber s join topic t using (environment_id)
     where s.environment_id = $1 and t.key = $2`,
    [env, topicKey],
  )
  await world.sql('analyze subscriber')
  await world.sql('analyze topic_subscription')
}

async function trigger(api: ApiNode, tenant: Tenant, to: unknown): Promise<void> {
  const events = [{ name: workflowId, to }]
  const reply = await send(api.url, 'POST', '/v1/events/trigger/bulk', { key: tenant.key, body: { events } })
  expectEqual(at(reply.body, 0, 'status'), 'processed', `the trigger: ${reply.text}`)
}

let probes = 0

/** From the trigger to the feed, in milliseconds, as a client sees it. */
async function probe(api: ApiNode, tenant: Tenant): Promise<number> {
  const subscriberId = `quiet-${++probes}`
  const started = performance.now()
  await trigger(api, tenant, { subscriberId, firstName: 'Quiet' })
  while (true) {
    const feed = await send(api.url, 'GET', `/v1/subscribers/${subscriberId}/notifications/feed`, { key: tenant.key })
    const waited = performance.now() - started
    if (listAt(feed.body, 'data').length > 0) return waited
    expectThat(waited < 30_000, 'a single trigger was not seen within 30 s')
    await sleep(10)
  }
}

async function progressOf(world: World, { environmentId }: Tenant): Promise<Progress> {
  const rows = await world.sql<Progress>(
    'select state, notified_count as notified, expand_cursor::text as cursor from event where environment_id = $1',
    [environmentId],
  )
  expectEqual(rows.length, 1, 'events')
  return rows[0] as Progress
}

async function checkReached(world: World, { environmentId }: Tenant, members: number): Promise<void> {
  for (const table of ['notification', 'message']) {
    const rows = await world.sql<{ rows: number; people: number }>(
      `select count(*)::int as rows, count(distinct subscriber_id)::int as people from ${table} where environment_id = $1`,
      [environmentId],
    )
    expectEqual(rows[0], { rows: members, people: members }, `${table} rows and the people they are for`)
  }
  const { notified } = await progressOf(world, { environmentId } as Tenant)
  expectEqual(notified, members, 'people counted')
}

/** Keys and counts hide an expansion that starts over: nobody is notified twice. But it has forgotten its place. */
function checkPlace({ state, notified, cursor }: Progress): void {
  const isForgotten = state === 'accepted' && notified > 0 && cursor === null
  expectThat(!isForgotten, `after ${notified} people the event does not know how far it is: it starts over`)
}
