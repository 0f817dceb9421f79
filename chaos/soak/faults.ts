import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PatroniCluster } from '../../test/postgres/patroni.ts'
import { until } from '../lib/outside-stage.ts'
import type { Random } from '../lib/random.ts'
import { shiftedClock } from '../lib/shifted-clock.ts'
import type { World } from '../lib/world.ts'
import * as failover from '../rows/failover/faults.ts'
import type { Fleet, Slot } from './fleet.ts'
import type { Mood, Providers } from './providers.ts'

export type Struck = { world: World; cluster: PatroniCluster; fleet: Fleet; providers: Providers; random: Random }

/** What is done, and undone again before it answers. Answers what it did in a few words. */
export type Fault = {
  name: string
  /** `forMs`: how long it lasts, where it lasts. */
  strike(struck: Struck, forMs: number): Promise<string>
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const struckSlots = (fleet: Fleet, role?: Slot['role']) =>
  fleet.slots.filter((slot) => !slot.kept && (role === undefined || slot.role === role))

function killed(role: Slot['role']): Fault {
  return {
    name: `${role} killed`,
    async strike({ fleet, random }) {
      const slot = random.pick(struckSlots(fleet, role))
      await fleet.kill(slot)
      await sleep(random.integer(1_000, 10_000))
      await fleet.start(slot)
      return `${slot.name} (${slot.version})`
    },
  }
}

/** What runs the version before gets this one, one after the other, and later goes back to it. */
const rolled: Fault = {
  name: 'rolled forward and back',
  async strike({ fleet }, forMs) {
    const slots = fleet.slots.filter(({ version }) => version === 'before')
    for (const slot of slots) await fleet.replace(slot, 'now')
    await sleep(forMs)
    for (const slot of slots) await fleet.replace(slot, 'before')
    return slots.map(({ name }) => name).join(', ')
  },
}

/** A node is told to stop and comes back with a clock that is wrong by a minute. */
const skewed: Fault = {
  name: 'clock wrong by a minute',
  async strike({ fleet, random }, forMs) {
    const shiftMs = random.pick([-60_000, 60_000])
    const slots = [random.pick(struckSlots(fleet, 'worker')), random.pick(struckSlots(fleet, 'api'))]
    for (const slot of slots) await fleet.replace(slot, slot.version, shiftedClock(shiftMs))
    await sleep(forMs)
    for (const slot of slots) await fleet.replace(slot, slot.version)
    return `${slots.map(({ name }) => name).join(', ')} by ${shiftMs / 1000} s`
  },
}

/** The server ends without a checkpoint; another one takes over, or its Patroni starts it again. */
const restarted: Fault = {
  name: 'database restarted',
  async strike({ world, cluster: struck }) {
    const [server] = await readServer(world)
    const began = performance.now()
    process.kill(Number(server?.file.split('\n')[0]), 'SIGQUIT')
    // Patroni itself notices only after seconds: until then all looks whole.
    const isAnother = async () => {
      const [now] = await readServer(world).catch(() => [])
      return now !== undefined && now.file !== server?.file
    }
    await until(isAnother, 120_000, 'the database answers again')
    const answers = performance.now() - began
    await struck.untilWhole()
    return `answers after ${seconds(answers)}, whole after ${seconds(performance.now() - began)}`
  },
}

const readServer = (world: World) => world.sql<{ file: string }>("select pg_read_file('postmaster.pid') as file")

/** Those of the failover area, each until the cluster is whole again. */
function cluster(fault: failover.Fault): Fault {
  return {
    name: fault.name,
    async strike({ cluster: struck }) {
      const began = performance.now()
      const { leaderAt, undo } = await fault.strike(struck)
      await sleep(5_000)
      undo()
      await struck.untilWhole()
      const leader = leaderAt === null ? 'the leader stays' : `another leader after ${seconds(leaderAt - began)}`
      return `${leader}, whole after ${seconds(performance.now() - began)}`
    },
  }
}

function provider(mood: Mood): Fault {
  return {
    name: `providers ${mood}`,
    async strike({ providers }, forMs) {
      providers.become(mood)
      await sleep(forMs)
      providers.become('well')
      return `for ${seconds(forMs)}`
    },
  }
}

/** Nothing that dies meanwhile can be cleaned away. */
const held: Fault = {
  name: 'transaction held open',
  async strike({ world }, forMs) {
    const client = new pg.Client({ connectionString: world.databaseUrl, application_name: 'chaos' })
    client.on('error', () => {})
    await client.connect()
    await client.query('begin isolation level repeatable read')
    await client.query('select count(*) from pgboss.queue')
    await sleep(forMs)
    await client.query('commit')
    await client.end()
    return `for ${seconds(forMs)}`
  },
}

const cutForMs = 15_000

/** Nothing passes between a node and its database, and nobody is told; then what was on its way is lost. */
const cut: Fault = {
  name: 'network cut',
  async strike({ fleet, random }) {
    const slot = random.pick(fleet.slots.filter(({ line }) => line !== null))
    slot.line?.hold()
    await sleep(cutForMs)
    slot.line?.cut()
    return `${slot.name} from its database for ${seconds(cutForMs)}`
  },
}

/**
 * Not among them: a primary that is cut off from its standbys and goes on, seen by clients. The version before answers a
 * repetition there that no standby has; `npm run chaos -- failover/cut` shows that this one does not.
 */
const faults: readonly Fault[] = [
  killed('worker'),
  killed('api'),
  rolled,
  skewed,
  restarted,
  cluster(failover.kill),
  cluster(failover.switchover),
  cluster(failover.standbyGone),
  cluster(failover.standbySilent),
  provider('slow'),
  provider('busy'),
  provider('down'),
  provider('forgetful'),
  held,
  cut,
]

/** Every kind comes once before any comes again. */
export function* shuffledDeck(random: Random, words: readonly string[]): Generator<Fault> {
  const chosen = faults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  if (chosen.length === 0)
    throw new Error(`There is no such fault; there are: ${faults.map((it) => it.name).join(', ')}.`)
  while (true) yield* random.shuffle(chosen)
}
