import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { rounds } from '../../../test/rounds.ts'
import { ensurePartitions } from '../../store/history/partitions.ts'
import dropPartitions from '../../tasks/drop-partitions.ts'

const h = useHarness({}, { worker: true })
const real = () => new Date()
afterEach(() => {
  h.ctx.clock = real
})
// WAITING_EVENTS=10000 for a longer run; fewer events meet the same races in less time.
const events = Number(process.env.WAITING_EVENTS ?? rounds({ quick: 800, full: 2_000 }))
const people = events / 4
const perRequest = 100
const dayMs = 86_400_000

// First, while there is only one node: a second one would expand events by its own clock.
test('a delay of 366 days outlives the week it was made in', async () => {
  const env = await h.environment()
  const steps = [
    { name: 'Wait', type: 'delay', controlValues: { amount: 366, unit: 'days' } },
    { name: 'Inbox', type: 'in_app', controlValues: { body: 'at last, {{payload.n}}' } },
  ]
  await makeWorkflow(env, 'hello', { steps })
  const then = new Date(Date.now() - 365 * dayMs)
  await ensurePartitions(h.admin, then, then)
  h.ctx.clock = () => then
  await trigger(env, { to: 'ada', payload: { n: 1 } })
  await h.drain()
  h.ctx.clock = real
  expect(await retain()).toBeGreaterThan(0)
  const { rows } = await sql<{ home: string }>`select tableoid::regclass::text as home from job
    where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(rows.map((row) => row.home)).toEqual(['job_default', 'job_default'])
  expect(await feedOf(env)).toEqual([])

  h.ctx.clock = () => new Date(Date.now() + 2 * dayMs)
  for (const until = Date.now() + 15_000; (await feedOf(env)).length === 0 && Date.now() < until; ) await sleep(50)
  expect(await feedOf(env)).toEqual(['at last, 1'])
})

/** Returns how many turns had something to do. */
async function retain(): Promise<number> {
  for (let turns = 0; ; turns++) if ((await dropPartitions.run(h.ctx)) === 0) return turns
}

async function feedOf(env: Client): Promise<string[]> {
  const { body } = await env.get('/v1/subscribers/ada/notifications/feed')
  return body.data.map((item: { content: string }) => item.content)
}

test(`8 workers, ${events} events over ${people} people, a digest of 2 s: nothing lost, nothing twice, one message per window`, async () => {
  // Four workers expand events in each node, and each node has its own scheduler.
  await h.node()
  const env = await h.environment()
  const body = '{{step.eventCount}}'
  const steps = [
    { name: 'Gather', type: 'digest', controlValues: { amount: 2, unit: 'seconds' } },
    { name: 'Inbox', type: 'in_app', controlValues: { body } },
  ]
  await makeWorkflow(env, 'hello', { steps })
  const began = performance.now()
  await triggerMany(env)
  const triggered = performance.now()
  await untilFired(env)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)

  const { rows } = await sql<Record<string, number>>`
    select
      (select count(*)::int from message where environment_id = ${env.environmentId}) as messages,
      (select sum(content::int)::int from message where environment_id = ${env.environmentId}) as members,
      (select count(*)::int from job where environment_id = ${env.environmentId} and type = 'digest' and status = 'completed') as windows,
      (select count(*)::int from job where environment_id = ${env.environmentId} and type = 'digest' and status = 'merged') as merged,
      (select count(*)::int from job where environment_id = ${env.environmentId} and status not in ('completed', 'merged')) as other,
      (select count(*)::int from digest_window where environment_id = ${env.environmentId}) as open`.execute(h.admin)
  const [seen] = rows
  console.log(
    `${events} events in ${seconds} s (triggered in ${((triggered - began) / 1000).toFixed(1)}): ${JSON.stringify(seen)}`,
  )
  expect(seen).toEqual({
    messages: seen?.windows,
    members: events,
    windows: seen?.windows,
    merged: events - (seen?.windows ?? 0),
    other: 0,
    open: 0,
  })
  // Events were really gathered.
  expect(seen?.merged).toBeGreaterThan(0)
}, 300_000)

async function triggerMany(env: Client): Promise<void> {
  const bulks = Array.from({ length: events / perRequest }, (_, bulk) =>
    Array.from({ length: perRequest }, (_, n) => ({ name: 'hello', to: `person-${(bulk * 37 + n * 7) % people}` })),
  )
  const lane = async () => {
    for (let bulk = bulks.pop(); bulk; bulk = bulks.pop()) {
      expect((await env.post('/v1/events/trigger/bulk', { events: bulk })).status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

async function untilFired(env: Client): Promise<void> {
  for (const until = Date.now() + 200_000; Date.now() < until; await sleep(100)) {
    const { rows } = await sql<{ open: boolean }>`
      select exists (select 1 from event where environment_id = ${env.environmentId} and state = 'accepted')
        or exists (select 1 from job where environment_id = ${env.environmentId} and status in ('pending', 'delayed')) as open`.execute(
      h.admin,
    )
    if (!rows[0]?.open) return
  }
  throw new Error('not all has fired')
}
