import {
  expireTokens,
  makeSlackStream,
  openSlack,
  reconnect,
  refreshesOf,
  refreshPath,
  refusedOf,
  type SlackStream,
  triggerStream,
} from '../../lib/chat-stage.ts'
import { allowing, startNodes, until, untilSettled } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectEqual, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { judgeRenewals } from '../../oracles/renewals.ts'
import { judgeSending, readAttempts } from '../../oracles/sending.ts'
import { type Ledger, openLedger } from '../../simulators/ledger.ts'

const [acme, beta] = ['T0ACME', 'T0BETA']
const renewalTakesMs = 1_500
// From the trigger to the vendor, for a workspace that has nothing to do with the one in trouble.
const neighbourWithinMs = 6_000

type Stage = { world: World; url: string; ledger: Ledger; stream: SlackStream }

/** Two nodes that work, and one app in two workspaces, one of which is in trouble with its token. */
export async function renewals(world: World): Promise<string> {
  const ledger = openLedger()
  const opened = await openSlack(ledger, 'slack')
  opened.door.script = ({ path }) => ({ kind: 'ok', delayMs: path === refreshPath ? renewalTakesMs : 20 })
  const [node] = await startNodes(world, allowing([opened.door.port]), ['start', 'worker'])
  const url = node?.url ?? ''
  const stream = await makeSlackStream(world, url, { name: 'slack', ...opened }, { workspaces: [acme, beta] })
  const stage = { world, url, ledger, stream }
  const told = [await renewedOnce(stage), await refusedOnce(stage), await heldUpAlone(stage)]
  const { sender, acknowledged } = stream
  const entries = ledger.read('slack')
  const tally = await judgeSending({ world, url, sender, acknowledged, entries, keyed: false })
  expectEqual([tally.doubles, tally.unknown], [0, 0], 'messages that came twice, and tries in doubt')
  return told.join('; ')
}

const peopleOf = ({ people }: SlackStream, workspace: string) =>
  people.filter((_, n) => (n % 2 === 0) === (workspace === acme))

/** Two hundred messages at once, for a token that we know to have expired, and for one that Slack says it of. */
async function renewedOnce({ world, url, stream }: Stage): Promise<string> {
  const count = 200
  const told: string[] = []
  for (const isTold of world.small ? [true] : [true, false]) {
    const before = refreshesOf(stream.door).length
    await expireTokens(world, stream, acme, isTold)
    const names = times(count, (n) => `renewed-${isTold}-${n}`)
    await triggerStream(url, stream, names, peopleOf(stream, acme))
    const seconds = await untilSettled(world, [stream.sender], 60_000)
    expectEqual(refreshesOf(stream.door).length - before, 1, `renewals for ${count} messages at once`)
    const attempts = await readAttempts(world, stream.sender)
    const sent = attempts.filter(({ outcome }) => outcome === 'sent').length
    expectEqual(sent, count * (isTold ? 1 : 2), 'messages that were sent')
    told.push(
      `${isTold ? 'expired' : 'expired, as Slack says'}: 1 renewal for ${count} messages in ${seconds.toFixed(1)} s`,
    )
  }
  return told.join('; ')
}

/** The app was removed there: its refresh token is refused once, and nobody asks again. */
async function refusedOnce(stage: Stage): Promise<string> {
  const { world, url, stream } = stage
  const count = world.small ? 40 : 200
  const before = refreshesOf(stream.door).length
  stream.slack.uninstall(acme)
  await expireTokens(world, stream, acme)
  const names = times(count, (n) => `refused-${n}`)
  await triggerStream(url, stream, names, peopleOf(stream, acme))
  const ms = await passBeside(stage, 'beside-refused', beta)
  await untilSettled(world, [stream.sender], 60_000)
  const faults = collectFaults()
  const asked = refreshesOf(stream.door).slice(before)
  judgeRenewals(asked, [], faults)
  const [row] = await world.sql<{ dead: number }>(
    `select count(*)::int as dead from message where environment_id = $1 and delivery = 'dead'
       and error_id = 'connection_refused' and starts_with(transaction_id, 'refused-')`,
    [stream.sender.tenant.environmentId],
  )
  if (row?.dead !== count) faults.add(`${row?.dead} of ${count} say connection_refused`)
  const refused = String(await refusedOf(url, stream, acme))
  if (!refused.includes('invalid_refresh_token')) faults.add(`the workspace says ${refused}`)
  faults.end()
  return `refused: asked ${asked.length} × for ${count} messages, each says so (neighbour ${(ms / 1000).toFixed(1)} s)`
}

/** Who died in the middle of a renewal left its claim behind: its workspace waits, the other one does not. */
async function heldUpAlone(stage: Stage): Promise<string> {
  const { world, url, stream } = stage
  const heldSeconds = world.small ? 12 : 30
  const before = refreshesOf(stream.door).length
  await reconnect(url, stream, acme)
  await expireTokens(world, stream, beta)
  await world.sql(
    `update channel_connection set renewing_until = now() + make_interval(secs => $2)
     where environment_id = $1 and identifier = $3`,
    [stream.sender.tenant.environmentId, heldSeconds, beta],
  )
  const count = world.small ? 60 : 100
  const names = times(count, (n) => `held-${n}`)
  await triggerStream(url, stream, names, peopleOf(stream, beta))
  const waits: number[] = []
  waits.push(await passBeside(stage, 'beside-held', acme))
  // Those who waited in vain come again later. That is no failure of the app, which works elsewhere.
  await until(async () => (await countWaited(stage)) >= 20, 60_000, 'twenty who waited in vain')
  for (const turn of [1, 2]) waits.push(await passBeside(stage, `beside-waited-${turn}`, acme))
  const seconds = await untilSettled(world, [stream.sender], 120_000)
  expectEqual(refreshesOf(stream.door).length - before, 1, 'renewals after the claim of a dead one')
  const slowest = Math.max(...waits) / 1000
  return `a claim left behind for ${heldSeconds} s: neighbour at most ${slowest.toFixed(1)} s, all sent ${seconds.toFixed(1)} s later`
}

async function countWaited({ world, stream }: Stage): Promise<number> {
  const [row] = await world.sql<{ count: number }>(
    `select count(*)::int from attempt a join message m on m.environment_id = a.environment_id and m.id = a.message_id
     where a.environment_id = $1 and a.outcome = 'retry' and starts_with(m.transaction_id, 'held-')`,
    [stream.sender.tenant.environmentId],
  )
  return row?.count ?? 0
}

/** Messages to the other workspace meanwhile. Answers how long they took. */
async function passBeside({ url, stream, ledger }: Stage, name: string, workspace: string): Promise<number> {
  const names = times(5, (n) => `${name}-${n}`)
  const started = performance.now()
  await triggerStream(url, stream, names, peopleOf(stream, workspace))
  const arrived = () => ledger.read('slack').filter(({ about, effect }) => effect && about.startsWith(name)).length
  await until(() => arrived() >= names.length, 60_000, 'messages to the other workspace')
  const ms = performance.now() - started
  expectThat(ms < neighbourWithinMs, `${name}: the neighbour waited for ${(ms / 1000).toFixed(1)} s`)
  return ms
}
