import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../lib/http.ts'
import type { ApiNode, Program, Settings } from '../lib/process.ts'
import type { World } from '../lib/world.ts'
import { type Line, openLine } from '../simulators/tcp-line.ts'
import type { Faults } from './book.ts'
import { type Before, programNow } from './program-before.ts'

export type Version = 'now' | 'before'

/** A place in which a node runs, or none for a while. */
export type Slot = {
  name: string
  role: 'api' | 'worker'
  version: Version
  /** No fault is aimed at its process: its memory tells whether something leaks. */
  kept: boolean
  /** By which it reaches its database; null: it goes straight there. */
  line: Line | null
  node: ApiNode | null
}

export type Fleet = {
  slots: readonly Slot[]
  /** API nodes that say that they are ready. */
  ready(): readonly Slot[]
  kill(slot: Slot): Promise<void>
  start(slot: Slot, version?: Version, settings?: Settings): Promise<void>
  /** SIGTERM, then another one in its place. */
  replace(slot: Slot, version: Version, settings?: Settings): Promise<void>
  stop(): void
}

type Options = {
  before: Before
  settings: Settings
  /** How it finds its database by itself, without the proxy. */
  hosts: string
  faults: Faults
}

const probeEveryMs = 500

/** Three API nodes and three workers: of this version one is kept and one is struck, and so is one of the version before. */
export async function startFleet(world: World, options: Options): Promise<Fleet> {
  const { hostname: host, port } = new URL(world.databaseUrl)
  const line = await Promise.all([openLine(Number(port), { host }), openLine(Number(port), { host })])
  const make = (role: Slot['role'], own: Partial<Slot>): Slot => ({
    ...{ name: `${role}-${own.kept ? 'kept' : own.version === 'before' ? 'before' : 'struck'}`, role },
    ...{ version: 'now', kept: false, line: null, node: null, ...own },
  })
  const slots = (['api', 'worker'] as const).flatMap((role, n) => [
    make(role, { kept: true }),
    make(role, { line: line[n] ?? null }),
    make(role, { version: 'before' }),
  ])

  const start = async (slot: Slot, version = slot.version, settings: Settings = {}) => {
    const program: Program = version === 'before' ? options.before.program : programNow
    const own = { ...options.settings, ...wayTo(world, slot, version, options.hosts), ...settings }
    // The machine may be busy, and a place that stays empty would make the rest of the run worth less.
    const again = () => world.startNode(own, slot.role, program)
    slot.node = await again().catch(again)
    slot.version = version
  }
  // One after the other: on a busy machine several at once do not start in time.
  for (const slot of slots) await start(slot)

  let ready: readonly Slot[] = slots.filter(({ role }) => role === 'api')
  let isOver = false
  const probe = async () => {
    while (!isOver) {
      const nodes = slots.filter((slot) => slot.role === 'api' && slot.node !== null)
      const answers = await Promise.all(nodes.map((slot) => isReady(slot.node?.url ?? '')))
      ready = nodes.filter((_, n) => answers[n])
      watchLives(slots, options.faults)
      await sleep(probeEveryMs)
    }
  }
  void probe()
  return {
    slots,
    ready: () => ready.filter(({ node }) => node !== null),
    async kill(slot) {
      const { node } = slot
      slot.node = null
      await node?.kill()
    },
    start,
    async replace(slot, version, settings) {
      const { node } = slot
      const how = await node?.stop()
      slot.node = null
      if (node && how !== 'exit 0')
        options.faults.add(`${slot.name} was told to stop: ${how}\n${node?.output().slice(-2_000)}`)
      await start(slot, version, settings)
    },
    stop() {
      isOver = true
    },
  }
}

/** Through the proxy; of this version the kept ones know all hosts, and the struck ones go by a line that can be cut. */
function wayTo(world: World, { kept, line }: Slot, version: Version, hosts: string): Settings {
  const { host } = new URL(world.databaseUrl)
  if (line) return { DATABASE_URL: world.databaseUrl.replace(host, `127.0.0.1:${line.port}`) }
  return kept && version === 'now' ? { DATABASE_URL: world.databaseUrl.replace(host, hosts) } : {}
}

async function isReady(url: string): Promise<boolean> {
  const reply = send(url, 'GET', '/health/ready').then(
    ({ status }) => status === 200,
    () => false,
  )
  return Promise.race([reply, sleep(2_000, false)])
}

/** Nobody told it to end. */
function watchLives(slots: readonly Slot[], faults: Faults): void {
  for (const slot of slots) {
    const how = slot.node?.ended()
    // Told to stop, it may be gone before its slot is empty.
    if (!how || how === 'exit 0') continue
    faults.add(`${slot.name} ended by itself: ${how}\n${slot.node?.output().slice(-2_000)}`)
    slot.node = null
  }
}
