import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../lib/http.ts'
import { at, listAt, textAt } from '../../lib/json.ts'
import {
  allowing,
  emailWebhook,
  makeSender,
  type Sender,
  smtp,
  triggerEach,
  until,
  untilSettled,
} from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat, type Faults } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, readMessages } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { type Action, startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { startSmtpSimulator } from '../../simulators/smtp-simulator.ts'

/** The primary's server is gone; the second one takes over. Then it fails too, and what is given up is driven again. */
export async function failover(world: World): Promise<string> {
  const count = world.small ? 20 : 100
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const second: { action: Action } = { action: { kind: 'ok', delayMs: 10 } }
  const hook = http.add({ name: 'second', dedupes: true, script: () => second.action })
  const primary = await startSmtpSimulator(ledger, 'primary', () => ({ kind: 'ok' }))
  const node = await world.startNode(allowing([http.port, primary.port]), 'start')
  const sender = await makeSender(world, node.url, 'email', [
    smtp(primary.port, { identifier: 'primary' }),
    emailWebhook(http.url(hook), { identifier: 'second' }),
  ])
  await triggerEach(node.url, sender, ['well-0'])
  await untilSettled(world, [sender], 30_000)
  expectEqual(ledger.count('primary'), 1, 'mails through the primary while it is well')
  await primary.close()

  const started = performance.now()
  const down = await triggerEach(
    node.url,
    sender,
    times(count, (n) => `down-${n}`),
  )
  await untilSettled(world, [sender], world.small ? 45_000 : 120_000)
  const seconds = (performance.now() - started) / 1000
  const faults = collectFaults()
  const entries = ledger.read('second')
  const tally = await judgeSending({ world, url: node.url, sender, acknowledged: down, entries, keyed: true })
  const both = await countActivities(node.url, sender, down.slice(0, 20), faults)
  faults.end()
  expectEqual(tally.arrived, count, 'messages through the second integration')
  expectAtLeast(both, Math.min(10, count / 2), 'activities that show both attempts')
  const dead = await deadAndDriven(world, node.url, sender, second, () => ledger.read('second'))
  return `primary down: ${count} arrived once through the second within ${seconds.toFixed(1)} s, ${both} of 20 activities show both; ${dead}`
}

/** Those that tried the primary before they moved on say so; those that met an open breaker had no reason to. */
async function countActivities(
  url: string,
  { tenant }: Sender,
  some: readonly { about: string }[],
  faults: Faults,
): Promise<number> {
  let both = 0
  for (const { about } of some) {
    const list = await send(url, 'GET', `/v1/notifications?transactionId=${about}`, { key: tenant.key })
    const id = textAt(listAt(list.body, 'data')[0], '_id')
    const one = await send(url, 'GET', `/v1/notifications/${id}`, { key: tenant.key })
    const [job] = listAt(one.body, 'jobs').length > 0 ? listAt(one.body, 'jobs') : listAt(one.body, 'data', 'jobs')
    const details = listAt(job, 'executionDetails')
    const failed = details.some((it) => at(it, 'providerId') === 'nodemailer' && at(it, 'status') === 'Warning')
    const sent = details.some((it) => at(it, 'providerId') === 'email-webhook' && at(it, 'status') === 'Success')
    if (!sent) faults.add(`the activity of ${about} does not show who sent it: ${JSON.stringify(details)}`)
    if (failed && sent) both++
  }
  return both
}

// From the moment a message expires until it is a dead letter.
const deadWithinMs = 30_000

async function deadAndDriven(
  world: World,
  url: string,
  sender: Sender,
  second: { action: Action },
  entries: () => { about: string; effect: boolean }[],
): Promise<string> {
  const { tenant } = sender
  second.action = { kind: 'refuse', status: 503 }
  const before = entries().length
  // More failures than the successes before them: the breaker opens, and most wait for a probe when their time comes.
  const given = world.small ? 60 : 160
  const names = times(given, (n) => `dead-${n}`)
  await triggerEach(url, sender, names)
  await until(() => entries().length - before >= 20, 60_000, 'enough tries to open the breaker')
  await sleep(3_000)
  const expired = performance.now()
  // The day is over.
  await world.sql(
    `update message set expires_at = now(), retry_at = case when in_flight then retry_at else now() end
     where environment_id = $1 and delivery = 'open'`,
    [tenant.environmentId],
  )
  await untilSettled(world, [sender], deadWithinMs)
  const seconds = (performance.now() - expired) / 1000
  const messages = (await readMessages(world, sender)).filter((message) => message.about.startsWith('dead-'))
  for (const { about, delivery, errorId } of messages) {
    expectThat(delivery === 'dead' && errorId === 'delivery_expired', `${about} is ${delivery} ${errorId}`)
  }
  const list = await send(url, 'GET', '/v1/dead-letters?limit=100', { key: tenant.key })
  if (list.status === 404)
    return `all down: ${given} dead ${seconds.toFixed(1)} s after their time (no dead-letter routes yet: list and redrive not shown)`
  expectEqual(list.status, 200, `the dead letters: ${list.text}`)
  const shown = names.filter((name) => list.text.includes(`"${name}"`)).length
  expectEqual(shown, Math.min(given, 100), `dead letters in the first page: ${list.text.slice(0, 400)}`)
  expectEqual(at(list.body, 'totalCount'), given, 'dead letters in all')

  second.action = { kind: 'ok' }
  const ids = messages.map(({ id }) => id)
  const body = { messageIds: ids }
  // Three times at once, by mistake: what is on its way is not dead any more.
  const redrive = () => send(url, 'POST', '/v1/dead-letters/redrive', { key: tenant.key, body })
  for (const { status, text } of await Promise.all([redrive(), redrive(), redrive()])) {
    expectThat(status < 300, `redrive: ${status} ${text}`)
  }
  await untilSettled(world, [sender], 120_000)
  for (const name of names) {
    const effects = entries().filter((entry) => entry.about === name && entry.effect).length
    expectEqual(effects, 1, `effects of ${name} after it was driven again`)
  }
  const after = await send(url, 'GET', '/v1/dead-letters?limit=100', { key: tenant.key })
  expectThat(!names.some((name) => after.text.includes(`"${name}"`)), `still dead: ${after.text.slice(0, 400)}`)
  return `all down: ${given} dead ${seconds.toFixed(1)} s after their time, listed, driven again and each delivered once`
}
