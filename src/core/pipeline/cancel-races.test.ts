import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../../chaos/lib/random.ts'
import { useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { rounds } from '../../../test/rounds.ts'
import { openWaitingWorld, type WaitingWorld } from '../../../test/waiting-world.ts'
import { deterministicId } from '../../lib/deterministic-id.ts'

const iterations = Number(process.env.CANCEL_RACES ?? rounds({ quick: 10, full: 100 }))
const seed = Number(process.env.WAITING_SEED ?? Math.floor(Math.random() * 2 ** 31))
const random = seededRandom(seed)
const h = useHarness(allowing(1))
const atOnce = 10
let world: WaitingWorld
let isRacing = false
// How long the last race took: cancels are spread over as long, whatever the machine.
let tookMs = 40

beforeAll(async () => {
  const client = await h.environment()
  const delay = { name: 'Delay', type: 'delay', controlValues: { type: 'regular', amount: 45, unit: 'seconds' } }
  const waiting = { ...emailStep, name: 'Second', shouldStopOnFail: true }
  await makeWorkflow(client, 'later', { steps: [delay, emailStep, waiting] })
  await makeIntegration(client, emailWebhook('http://127.0.0.1:1'))
  const pause = async () => {
    if (isRacing && random.integer(0, 2) === 0) await sleep(random.integer(0, 4))
  }
  world = await openWaitingWorld(h, client, ['later'], pause)
})
afterAll(() => world.close())

test(`cancel races with resume, ${iterations * atOnce} times: what a canceled event had not begun is not sent`, async () => {
  const canceled = new Map<string, number>()
  for (let n = 0; n < iterations; n++) await raceOnce(canceled)
  const { rows } = await sql<{ event: string; open: number; left: number; waiting: number }>`
    select e.transaction_id as event,
      count(*) filter (where m.delivery = 'open')::int as open,
      count(*) filter (where m.delivery = 'canceled')::int as left,
      (select count(*)::int from job j join notification o on o.environment_id = j.environment_id and o.id = j.notification_id
        where o.environment_id = e.environment_id and o.event_id = e.id
          and j.status in ('pending', 'queued', 'delayed')) as waiting
    from event e left join message m on m.environment_id = e.environment_id and m.event_id = e.id
    where e.environment_id = ${world.env.environmentId} and e.state = 'canceled'
    group by e.environment_id, e.id, e.transaction_id`.execute(h.admin)
  expect(rows).toHaveLength(canceled.size)
  const alive = rows.filter((row) => row.open > 0 || row.waiting > 0)
  expect(alive, `seed ${seed}: canceled, and still to be sent`).toEqual([])
  // Both came first sometimes.
  const after = rows.filter((row) => row.left > 0).length
  console.log(
    `cancel against resume, seed ${seed}: ${rows.length} canceled, ${after} of them after the message was written`,
  )
  expect(after).toBeGreaterThan(rows.length / 50)
  expect(rows.length - after).toBeGreaterThan(rows.length / 50)
}, 600_000)

async function raceOnce(canceled: Map<string, number>): Promise<void> {
  const people = await world.newPeople(atOnce)
  await sql`update subscriber set email = 'ada@example.org' where environment_id = ${world.env.environmentId}
    and subscriber_id = any (${people})`.execute(h.admin)
  const events = []
  for (const who of people) {
    world.clock.now += 1
    const id = deterministicId(new Date(world.clock.now), 'event', who)
    await world.accept(id, { n: 0, workflow: 'later', key: 'a', people: [who] })
    events.push(id)
  }
  await runQueue()
  world.clock.now += 60_000
  isRacing = true
  const started = performance.now()
  const cancels = events.map(async (id) => {
    await sleep(random.integer(0, Math.ceil(tookMs)))
    canceled.set(id, await world.cancel(id))
  })
  const fires = [0, 1].map(async () => {
    await sleep(random.integer(0, 5))
    await world.wake('no')
    await runQueue()
  })
  await Promise.all(fires)
  tookMs = performance.now() - started
  await Promise.all(cancels)
  isRacing = false
  await runQueue()
}

/** Like the engine, tries again what failed because another worker was faster. What is to be sent stays where it is. */
async function runQueue(): Promise<void> {
  for (let tries = 0; world.queue.length > 0; ) {
    const tasks = world.queue.splice(0).filter(({ name }) => name !== 'deliver-messages')
    const singles = tasks.flatMap(({ name, data }) =>
      name === 'advance-notifications'
        ? (data.notificationIds as string[]).map((id) => ({ name, data: { ...data, notificationIds: [id] } }))
        : [{ name, data }],
    )
    const ended = await Promise.allSettled(singles.map((task) => world.work([task], 'no')))
    const failed = singles.filter((_task, n) => ended[n]?.status === 'rejected')
    if (failed.length > 0 && ++tries > 30) throw new Error(JSON.stringify(ended.find((it) => it.status === 'rejected')))
    world.queue.push(...failed)
  }
}
