import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Acknowledged,
  allowing,
  makeSender,
  type Sender,
  smtp,
  triggerEach,
  until,
  untilSettled,
} from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, readMessages, type Tally, table } from '../../oracles/sending.ts'
import { type Ledger, openLedger } from '../../simulators/ledger.ts'
import { type HttpSimulator, startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { startSmtpSimulator } from '../../simulators/smtp-simulator.ts'
import { type FaultCase, faultCases } from './fault-cases.ts'

type Running = FaultCase & { sender: Sender; acknowledged: Acknowledged[] }

/** Every kind of bad day at once, each at an integration of its own, through one node. */
export async function providerFaults(world: World): Promise<string> {
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  // A program broken on purpose is seen without the slow ones.
  const cases = faultCases(world.random, world.small).filter(({ isSlow }) => !(world.small && isSlow))
  const mails = new Map<string, number>()
  for (const { name, smtp, script } of cases) {
    if (!smtp) continue
    const server = await startSmtpSimulator(ledger, name, (call) =>
      script(call).kind === 'ok' ? { kind: 'ok' } : { kind: 'accept then reset' },
    )
    mails.set(name, server.port)
  }
  const node = await world.startNode(allowing([http.port, ...mails.values()]), 'start')
  const running: Running[] = []
  for (const it of cases) running.push(await begin(world, node.url, http, mails, it))
  const started = performance.now()
  await Promise.all(running.map((it) => triggerInWaves(node.url, ledger, it)))
  const settling = running.filter((it) => !it.neverSettles).map((it) => it.sender)
  await untilSettled(world, settling, 150_000)
  // Whoever would ask again too early has had the time to.
  await sleep(2_000)
  const seconds = (performance.now() - started) / 1000
  const faults = collectFaults()
  const tallies: { name: string; tally: Tally; seconds: number }[] = []
  for (const it of running) {
    const entries = ledger.read(routeOf(it))
    const messages = await readMessages(world, it.sender)
    const judged = await judgeCase(world, node.url, ledger, it).catch((error: Error) => error)
    if (judged instanceof Error) {
      faults.add(`${it.name}: ${judged.message}`)
      continue
    }
    const scripted = entries.filter((entry) => entry.action !== 'ok').length
    expectAtLeast(scripted, it.fewestFaults, `faults dealt out by "${it.name}"`)
    if (judged.requests > 1.2 * judged.acknowledged + scripted)
      faults.add(
        `STORM at ${it.name}: ${judged.requests} requests, ${judged.acknowledged} messages, ${scripted} faults`,
      )
    it.expect({ tally: judged, messages, entries }, { ...faults, add: (text) => faults.add(`${it.name}: ${text}`) })
    tallies.push({ name: it.name, tally: judged, seconds })
  }
  faults.end()
  return `${running.length} kinds of fault, no storm, no early request${table(tallies)}`
}

async function begin(
  world: World,
  url: string,
  http: HttpSimulator,
  mails: ReadonlyMap<string, number>,
  it: FaultCase,
) {
  const port = mails.get(it.name)
  const route = { name: routeOf(it), dedupes: it.keyed, script: it.script }
  const integration = port === undefined ? it.integration(http.url(http.add(route))) : smtp(port)
  return { ...it, sender: await makeSender(world, url, it.channel, [integration]), acknowledged: [] }
}

/** The SMTP routes of the ledger are named as they are; those of HTTP stand in a URL. */
function routeOf({ name, smtp }: FaultCase): string {
  return smtp ? name : name.replace(/[^a-z0-9]+/g, '-')
}

async function triggerInWaves(url: string, ledger: Ledger, it: Running): Promise<void> {
  const names = times(it.count, (n) => `${routeOf(it).replace(/[^a-z0-9]+/g, '-')}-${n}`)
  const half = it.inTwoWaves ? Math.ceil(names.length / 2) : names.length
  it.acknowledged.push(...(await triggerEach(url, it.sender, names.slice(0, half))))
  if (half === names.length) return
  await until(() => ledger.count(routeOf(it)) >= Math.min(half, 1), 90_000, `the first request of "${it.name}"`)
  await sleep(1_200)
  it.acknowledged.push(...(await triggerEach(url, it.sender, names.slice(half))))
}

async function judgeCase(world: World, url: string, ledger: Ledger, it: Running): Promise<Tally> {
  const { sender, acknowledged, keyed } = it
  const entries = ledger.read(routeOf(it))
  if (it.neverSettles) {
    const nobody: readonly Acknowledged[] = []
    return {
      ...(await judgeSending({ world, url, sender, acknowledged: nobody, entries, keyed })),
      acknowledged: it.count,
    }
  }
  return judgeSending({ world, url, sender, acknowledged, entries, keyed })
}
