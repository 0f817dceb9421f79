import { setTimeout as sleep } from 'node:timers/promises'
import { makeSlackStream, openSlack, type SlackStream, triggerStream } from '../../lib/chat-stage.ts'
import { allowing, untilSettled } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, type Faults } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, readMessages, type Tally, table } from '../../oracles/sending.ts'
import { type Ledger, openLedger } from '../../simulators/ledger.ts'
import { type ChatCase, chatCases } from './chat-cases.ts'

type Running = ChatCase & { stream: SlackStream }
type Judged = { name: string; tally: Tally; seconds: number }

/** Every kind of bad day at Slack at once, each at an app of its own, through one node. */
export async function chatFaults(world: World): Promise<string> {
  const ledger = openLedger()
  const cases = chatCases().filter(({ isSlow }) => !(world.small && isSlow))
  const doors = new Map<string, Awaited<ReturnType<typeof openSlack>>>()
  for (const { name } of cases) doors.set(name, await openSlack(ledger, name))
  const ports = [...doors.values()].map(({ door }) => door.port)
  const node = await world.startNode(allowing(ports), 'start')
  const running: Running[] = []
  for (const it of cases) {
    const opened = doors.get(it.name)
    if (!opened) throw new Error('each has a door')
    const places = { workspaces: ['T0ACME', 'T0BETA'], people: 10 }
    const stream = await makeSlackStream(world, node.url, { name: it.name, ...opened }, places)
    opened.door.script = counting(it)
    await it.prepare?.(world, stream)
    running.push({ ...it, stream })
  }
  const started = performance.now()
  await Promise.all(running.map((it) => triggerStream(node.url, it.stream, namesOf(it))))
  const settling = running.filter((it) => !it.neverSettles)
  await untilSettled(
    world,
    settling.map(({ stream }) => stream.sender),
    150_000,
  )
  // Whoever would ask again too early has had the time to.
  await sleep(2_000)
  const seconds = (performance.now() - started) / 1000
  const faults = collectFaults()
  const tallies: Judged[] = []
  for (const it of running) {
    const own = { ...faults, add: (text: string) => faults.add(`${it.name}: ${text}`) }
    const tally = await judgeCase(world, node.url, ledger, it, own)
    if (tally) tallies.push({ name: it.name, tally, seconds })
  }
  faults.end()
  return `${running.length} kinds of fault at Slack's bot; no storm, neighbours untouched${table(tallies)}`
}

const namesOf = ({ name, count }: ChatCase) => times(count, (n) => `${name.replace(/[^a-z0-9]+/gi, '-')}-${n}`)

/** Counts the calls, and those of each message. */
function counting({ script }: ChatCase): SlackStream['door']['script'] {
  const seen = new Map<string, number>()
  let index = 0
  return (call) => {
    const about = String(call.json.text)
    const before = seen.get(about) ?? 0
    seen.set(about, before + 1)
    return script(call, before, index++)
  }
}

async function judgeCase(
  world: World,
  url: string,
  ledger: Ledger,
  it: Running,
  faults: Faults,
): Promise<Tally | null> {
  const { sender, acknowledged, door, people } = it.stream
  const entries = ledger.read(it.name)
  const given = { world, url, sender, entries, keyed: false }
  const judged = await judgeSending({ ...given, acknowledged: it.neverSettles ? [] : acknowledged }).catch(
    (error: Error) => error,
  )
  if (judged instanceof Error) {
    faults.add(judged.message)
    return null
  }
  const tally = { ...judged, acknowledged: it.count }
  const dealt = entries.filter(({ action }) => action !== 'ok').length
  expectAtLeast(dealt, it.fewestFaults, `faults dealt out by "${it.name}"`)
  if (tally.requests > 1.2 * tally.acknowledged + dealt)
    faults.add(`STORM: ${tally.requests} requests, ${tally.acknowledged} messages, ${dealt} faults`)
  // People get messages in turn, and every second one is in the first workspace.
  const personOf = (about: string) => Number(about.split('-').at(-1)) % people.length
  const isAcme = (about: string) => personOf(about) % 2 === 0
  const isFirst = (about: string) => personOf(about) === 0
  const messages = await readMessages(world, sender)
  const pace = await world.sql('select 1 from integration_pace where environment_id = $1', [
    sender.tenant.environmentId,
  ])
  const isPaced = pace.length > 0
  it.expect({ tally, messages, entries, calls: door.calls, isPaced, isAcme, isFirst }, faults)
  return tally
}
