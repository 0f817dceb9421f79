import {
  type Acknowledged,
  allowing,
  emailWebhook,
  makeSender,
  type Sender,
  smtp,
  startNodes,
  triggerEach,
  until,
  untilSettled,
} from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { expectAtLeast } from '../../lib/red.ts'
import { budgetNote, decidedAfterMs, shortBudgets } from '../../lib/short-budgets.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, table } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { startSmtpSimulator } from '../../simulators/smtp-simulator.ts'

const kills = 10
const eachKind = 2_000

type Stream = { name: string; sender: Sender; keyed: boolean; acknowledged: Acknowledged[] }

/**
 * Workers die by kill -9 with sends under way; the providers live on and remember. One knows our key and drops what it
 * has, the other is a mail server, which cannot.
 */
export async function killedWhileSending(world: World): Promise<string> {
  const started = performance.now()
  const rounds = world.small ? 3 : kills
  const perRound = world.small ? 100 : eachKind / kills
  const { random } = world
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const hook = http.add({
    name: 'keyed',
    dedupes: true,
    script: () => ({ kind: 'ok', delayMs: random.integer(20, 200) }),
  })
  const mail = await startSmtpSimulator(ledger, 'keyless', () => ({ kind: 'ok', delayMs: random.integer(20, 80) }))
  const settings = { ...allowing([http.port, mail.port]), ...shortBudgets }
  const api = await world.startNode(settings, 'api')
  const workers = await startNodes(world, settings, ['worker', 'worker'])
  const streams: Stream[] = [
    {
      name: 'keyed',
      sender: await makeSender(world, api.url, 'email', [emailWebhook(http.url(hook))]),
      keyed: true,
      acknowledged: [],
    },
    {
      name: 'keyless',
      sender: await makeSender(world, api.url, 'email', [smtp(mail.port)]),
      keyed: false,
      acknowledged: [],
    },
  ]
  const current = workers.map((node) => Promise.resolve(node))
  let underFire = 0
  for (let round = 0; round < rounds; round++) {
    const before = ledger.count()
    for (const stream of streams) {
      const names = times(perRound, (n) => `${stream.name}-${round}-${n}`)
      stream.acknowledged.push(...(await triggerEach(api.url, stream.sender, names)))
    }
    const most = Math.min(perRound, 150)
    const enough = before + random.integer(Math.min(20, most), most)
    await until(() => ledger.count() >= enough, 60_000, `request ${enough} of round ${round}`)
    const victim = await current[round % 2]
    await victim?.kill()
    const [open] = await world.sql<{ count: number }>('select count(*)::int from attempt where outcome is null')
    if ((open?.count ?? 0) > 0) underFire++
    current[round % 2] = world.startNode(settings, 'worker')
  }
  await Promise.all(current)
  const senders = streams.map(({ sender }) => sender)
  const recovered = await untilSettled(world, senders, decidedAfterMs + 60_000)
  const seconds = (performance.now() - started) / 1000
  const tallies = []
  for (const { name, sender, keyed, acknowledged } of streams) {
    const entries = ledger.read(name)
    const tally = await judgeSending({ world, url: api.url, sender, acknowledged, entries, keyed })
    tallies.push({ name, tally, seconds })
  }
  expectAtLeast(underFire, Math.ceil(rounds * 0.7), 'kills while tries were under way')
  const doubtful = tallies.reduce((sum, { tally }) => sum + tally.unknown, 0)
  expectAtLeast(doubtful, rounds, 'tries whose worker died before it could record them')
  for (const { tally } of tallies) expectAtLeast(tally.arrived, perRound * rounds, 'arrived')
  return `${rounds} × kill -9 of 2 workers, ${underFire} with tries under way (${budgetNote}); settled ${recovered.toFixed(1)} s after the last${table(tallies)}`
}
