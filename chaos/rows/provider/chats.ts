import {
  expireTokens,
  makePushStream,
  makeSlackStream,
  makeTelegramStream,
  openPush,
  openSlack,
  openTelegram,
  type PushStream,
  reconnect,
  refreshesOf,
  refreshPath,
  refusedOf,
  type SlackStream,
  type Stream,
  triggerStream,
} from '../../lib/chat-stage.ts'
import { send } from '../../lib/http.ts'
import { allowing, startNodes, until, untilSettled } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { budgetNote, decidedAfterMs, shortBudgets } from '../../lib/short-budgets.ts'
import type { World } from '../../lib/world.ts'
import { judgeRenewals } from '../../oracles/renewals.ts'
import { judgeSending, readMessages, type Tally, table } from '../../oracles/sending.ts'
import { type Ledger, openLedger } from '../../simulators/ledger.ts'

const acme = 'T0ACME'
const devices = 3
// While we wait for both to be in the middle of a renewal.
const slowRenewalMs = 6_000

type Stage = {
  world: World
  url: string
  ledger: Ledger
  telegram: Stream
  push: PushStream
  /** One Slack lets a used refresh token be used again for a while, the other does not. */
  lenient: SlackStream
  strict: SlackStream
  renewalMs: number
}

/**
 * Workers die by kill -9 while messages go out by Slack's bot, Telegram and web push, and while they renew the tokens of
 * workspaces. What Slack gave to a dead worker is lost: then the record says that the workspace is out, and after it was
 * connected again all that was given up is driven again.
 */
export async function chatsUnderFire(world: World): Promise<string> {
  const started = performance.now()
  const [rounds, perRound] = world.small ? [1, 40] : [4, 100]
  const settings: Record<string, string> = { ...shortBudgets }
  const stage = await openStage(world, settings)
  const { lenient, strict, telegram, push, url, ledger } = stage
  const streams: Stream[] = [telegram, push, lenient, strict]
  const slacks = [lenient, strict]
  const killedAt: number[] = []
  let [underFire, slowest, gone] = [0, 0, 0]
  let workers = await startNodes(world, settings, ['worker', 'worker'])
  for (let round = 0; round < rounds; round++) {
    const before = ledger.count() + push.service.received.length
    for (const stream of slacks) await expireTokens(world, stream, acme, round % 2 === 0)
    stage.renewalMs = slowRenewalMs
    await Promise.all(streams.map((stream) => triggerStream(url, stream, namesOf(stream, round, perRound))))
    const areBusy = () => slacks.every(isRenewing) && ledger.count() + push.service.received.length - before >= 15
    await until(areBusy, 30_000, 'both workspaces to be renewed while others are sent to')
    const killed = performance.now()
    killedAt.push(Date.now())
    await Promise.all(workers.map((worker) => worker.kill()))
    stage.renewalMs = 200
    const [open] = await world.sql<{ count: number }>('select count(*)::int from attempt where outcome is null')
    underFire += open?.count ?? 0
    workers = await startNodes(world, settings, ['worker', 'worker'])
    const senders = streams.map(({ sender }) => sender)
    await untilSettled(world, senders, decidedAfterMs + 60_000)
    slowest = Math.max(slowest, (performance.now() - killed) / 1000)
    expectEqual(await refusedOf(url, lenient, acme), null, 'a workspace whose refresh token could be used again')
    gone += await connectAgain(stage)
  }
  const seconds = (performance.now() - started) / 1000
  const faults = collectFaults()
  const again = slacks.map(({ door }) => judgeRenewals(refreshesOf(door), killedAt, faults))
  faults.end()
  const tallies = await judgeAll(stage, seconds)
  expectAtLeast(underFire, 5 * rounds, 'tries under way when the workers died')
  for (const [n, { name }] of slacks.entries()) {
    expectAtLeast(again[n] ?? 0, rounds, `renewals by ${name} that died with their worker`)
  }
  for (const { name, tally } of tallies) expectEqual(tally.arrived, tally.acknowledged, `arrived by ${name}`)
  const renewals = slacks.map(({ name, door }) => `${name} ${refreshesOf(door).length}`).join(', ')
  return `${rounds} × kill -9 of both workers in the middle of renewals, ${underFire} tries under way (${budgetNote}); settled ${slowest.toFixed(1)} s after a kill; renewals: ${renewals}; ${gone} dead letters said so and went after the workspace was connected again${table(tallies)}`
}

async function openStage(world: World, settings: Record<string, string>): Promise<Stage> {
  const { random } = world
  const ledger = openLedger()
  const graces = { lenient: 3_600_000, strict: 0 }
  const slacks = {
    lenient: { name: 'lenient', ...(await openSlack(ledger, 'lenient', graces.lenient)) },
    strict: { name: 'strict', ...(await openSlack(ledger, 'strict', graces.strict)) },
  }
  const telegram = { name: 'telegram', ...(await openTelegram(ledger, 'telegram')) }
  // Slow enough to be under way when the others are in the middle of a renewal.
  const answersAfter = () => random.integer(300, 1_200)
  telegram.door.script = () => ({ kind: 'ok', delayMs: answersAfter() })
  const push = { name: 'web push', devices, service: await openPush(answersAfter) }
  const ports = [slacks.lenient.door.port, slacks.strict.door.port, telegram.door.port, push.service.port]
  Object.assign(settings, allowing(ports))
  // In production a push service must be called by https.
  const { url } = await world.startNode({ ...settings, NODE_ENV: 'development' }, 'api')
  const stage: Stage = {
    world,
    url,
    ledger,
    telegram: await makeTelegramStream(world, url, telegram),
    push: await makePushStream(world, url, push, 10),
    lenient: await makeSlackStream(world, url, slacks.lenient),
    strict: await makeSlackStream(world, url, slacks.strict),
    renewalMs: 200,
  }
  for (const { door } of [stage.lenient, stage.strict]) {
    door.script = ({ path }) => ({
      kind: 'ok',
      delayMs: path === refreshPath ? stage.renewalMs : random.integer(20, 200),
    })
  }
  return stage
}

const namesOf = ({ name }: Stream, round: number, count: number) =>
  times(count, (n) => `${name.replace(' ', '-')}-${round}-${n}`)

/** Slack has given out new tokens, and nobody has them yet. */
function isRenewing({ door }: SlackStream): boolean {
  const latest = Date.now() - slowRenewalMs + 1_000
  return refreshesOf(door).some(({ answer, answeredAt, at }) => answer !== '' && answeredAt === 0 && at > latest)
}

/** The strict workspace is out, and everybody who asks is told so. Answers how many messages were driven again. */
async function connectAgain({ world, url, strict }: Stage): Promise<number> {
  const refused = await refusedOf(url, strict, acme)
  expectThat(String(refused).includes('invalid_refresh_token'), `a workspace that cannot be renewed says ${refused}`)
  const dead = (await readMessages(world, strict.sender)).filter(({ delivery }) => delivery === 'dead')
  expectAtLeast(dead.length, 5, 'messages given up for want of a token')
  for (const { about, errorId } of dead) {
    expectThat(['connection_refused', 'delivery_unknown'].includes(errorId ?? ''), `${about} says ${errorId}`)
  }
  await reconnect(url, strict, acme)
  expectEqual(await refusedOf(url, strict, acme), null, 'a workspace that was connected again')
  const { key } = strict.sender.tenant
  for (let n = 0; n < dead.length; n += 100) {
    const body = { messageIds: dead.slice(n, n + 100).map(({ id }) => id) }
    const { status, text } = await send(url, 'POST', '/v1/dead-letters/redrive', { key, body })
    expectThat(status < 300, `redrive: ${status} ${text}`)
  }
  await untilSettled(world, [strict.sender], decidedAfterMs + 60_000)
  return dead.length
}

async function judgeAll({ world, url, ledger, telegram, push, lenient, strict }: Stage, seconds: number) {
  const tallies: { name: string; tally: Tally; seconds: number }[] = []
  const given = { world, url, keyed: false }
  for (const stream of [telegram, lenient, strict]) {
    const { name, sender, acknowledged } = stream
    const tally = await judgeSending({ ...given, sender, acknowledged, entries: ledger.read(name) })
    tallies.push({ name, tally, seconds })
  }
  const { sender, acknowledged } = push
  for (const device of times(devices, (n) => n)) {
    const tally = await judgeSending({ ...given, sender, acknowledged, entries: push.entriesOf(device) })
    tallies.push({ name: `browser ${device}`, tally, seconds })
  }
  return tallies
}
