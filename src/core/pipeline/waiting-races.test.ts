import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../../chaos/lib/random.ts'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { rounds } from '../../../test/rounds.ts'
import { modelWorkflows, toStepsInput } from '../../../test/waiting-model.ts'
import { openWaitingWorld, type WaitingWorld } from '../../../test/waiting-world.ts'
import { deterministicId } from '../../lib/deterministic-id.ts'

// Each iteration races eight cancels: four of delays, and of digests the opener, a member, and both at once.
const iterations = Number(process.env.WAITING_RACES ?? rounds({ quick: 10, full: 250 }))
const seed = Number(process.env.WAITING_SEED ?? Math.floor(Math.random() * 2 ** 31))
const random = seededRandom(seed)
const h = useHarness()
let world: WaitingWorld
let isRacing = false
// How long the last one took: a cancel comes at any point of it, on a busy machine too.
let fireMs = 25

beforeAll(async () => {
  const client = await h.environment()
  const names = ['digest', 'delay']
  for (const name of names) await makeWorkflow(client, name, { steps: toStepsInput(modelWorkflows[name] ?? []) })
  // A short pause now and then, so that the other side may come in at any point of the transaction.
  const pause = async () => {
    if (isRacing && random.integer(0, 3) === 0) await sleep(random.integer(0, 3))
  }
  world = await openWaitingWorld(h, client, names, pause)
})
afterAll(() => world.close())

/** A delay or digest, and which of its events are canceled while it fires. */
type Race = { who: string; events: string[]; canceled: Map<number, number> }

test(`cancel races with fire, ${iterations * 4} delays and ${iterations * 3} digests: sent or counted, never both, never neither`, async () => {
  const races: Race[] = []
  for (let n = 0; n < iterations; n++) races.push(...(await raceOnce()))
  const seen = await world.look(races.map((race) => race.who))
  expect(seen, `seed ${seed}`).toMatchObject({ open: 0, windows: 0 })
  const sentTo = Map.groupBy(seen.messages, (message) => message.who)
  const verdicts = { sent: 0, canceled: 0 }
  for (const race of races) {
    const got = (sentTo.get(race.who) ?? []).flatMap((message) => message.members)
    for (const index of race.events.keys()) {
      const times = got.filter((member) => member === index).length
      const counted = race.canceled.get(index) ?? 0
      const what = `seed ${seed}: event ${index} of ${race.events.length} of ${race.who} (${race.events[index]}): the cancel counted ${counted}`
      expect(times, what).toBe(counted > 0 ? 0 : 1)
      verdicts[times > 0 ? 'sent' : 'canceled']++
    }
  }
  const { rows } = await sql<{ deadlocks: string }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(h.admin)
  console.log(`cancel against fire, seed ${seed}: ${JSON.stringify({ ...verdicts, deadlocks: rows[0]?.deadlocks })}`)
  // Both sides won sometimes: the races really happened.
  const contested = races.flatMap((race) => [...race.canceled.values()])
  expect(contested.filter((count) => count > 0).length).toBeGreaterThan(contested.length / 50)
  expect(contested.filter((count) => count === 0).length).toBeGreaterThan(contested.length / 50)
}, 600_000)

async function raceOnce(): Promise<Race[]> {
  const cases = [
    ...Array.from({ length: 4 }, () => ({ workflow: 'delay', events: 1, cancels: [0] })),
    { workflow: 'digest', events: 3, cancels: [0] },
    { workflow: 'digest', events: 3, cancels: [1] },
    { workflow: 'digest', events: 3, cancels: [0, 1] },
  ]
  const people = await world.newPeople(cases.length)
  const races: Race[] = []
  const due = []
  for (const [n, { workflow, events, cancels }] of cases.entries()) {
    const who = people[n] ?? ''
    const race: Race = { who, events: [], canceled: new Map() }
    for (let index = 0; index < events; index++) {
      world.clock.now += 1
      const id = deterministicId(new Date(world.clock.now), 'event', who, String(index))
      await world.accept(id, { n: index, workflow, key: 'a', people: [who] })
      race.events.push(id)
    }
    races.push(race)
    due.push(...cancels.map((index) => ({ race, index })))
  }
  await runQueue()
  world.clock.now += 60_000
  isRacing = true
  await Promise.all([
    fire(),
    fire(),
    ...due.map(async ({ race, index }) => {
      await sleep(random.integer(0, Math.ceil(fireMs)))
      race.canceled.set(index, await world.cancel(race.events[index] ?? ''))
    }),
  ])
  isRacing = false
  // A digest passed on to another event during the race is due as well.
  await fire()
  return races
}

/** Wakes what is due once, and does the work it queued. */
async function fire(): Promise<void> {
  await sleep(random.integer(0, 5))
  const started = performance.now()
  await world.wake('no')
  await runQueue()
  if (isRacing) fireMs = performance.now() - started
}

/** Like the engine, tries again what failed because another worker was faster. */
async function runQueue(): Promise<void> {
  for (let tries = 0; world.queue.length > 0; ) {
    const tasks = world.queue.splice(0)
    try {
      await world.work(tasks, 'no')
    } catch (error) {
      if (++tries > 20) throw error
      world.queue.push(...tasks)
    }
  }
}
