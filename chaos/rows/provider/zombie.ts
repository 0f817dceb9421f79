import { setTimeout as sleep } from 'node:timers/promises'
import { allowing, makeSender, smtp, triggerEach, until, untilSettled } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import { budgetNote, decidedAfterMs, shortBudgets } from '../../lib/short-budgets.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, readAttempts, readMessages, table } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startSmtpSimulator } from '../../simulators/smtp-simulator.ts'

/**
 * A worker is frozen with sends under way, another one takes over and finishes them, then the first wakes up and wants
 * to record what it knows. The fence: its word comes too late and changes nothing.
 */
export async function frozenWhileSending(world: World): Promise<string> {
  const started = performance.now()
  const count = world.small ? 100 : 300
  const ledger = openLedger()
  const mail = await startSmtpSimulator(ledger, 'frozen', () => ({
    kind: 'ok',
    delayMs: world.random.integer(50, 150),
  }))
  const settings = { ...allowing([mail.port]), ...shortBudgets }
  const api = await world.startNode(settings, 'api')
  const zombie = await world.startNode(settings, 'worker')
  const sender = await makeSender(world, api.url, 'email', [smtp(mail.port)])
  const names = times(count, (n) => `frozen-${n}`)
  const acknowledged = await triggerEach(api.url, sender, names)
  await until(() => ledger.count() >= 20, 60_000, 'the first 20 mails')
  process.kill(zombie.pid, 'SIGSTOP')
  const [open] = await world.sql<{ count: number }>('select count(*)::int from attempt where outcome is null')
  await world.startNode(settings, 'worker')
  await untilSettled(world, [sender], decidedAfterMs + 60_000)
  const [messages, attempts] = [await readMessages(world, sender), await readAttempts(world, sender)]
  process.kill(zombie.pid, 'SIGCONT')
  // It finds its clocks run out, its answers arrived, and tries to write them all.
  await sleep(5_000)
  await untilSettled(world, [sender], decidedAfterMs + 60_000)
  const faults = collectFaults()
  const attemptsAfter = new Map((await readAttempts(world, sender)).map((it) => [it.id, it]))
  for (const attempt of attempts) {
    const outcome = attemptsAfter.get(attempt.id)?.outcome
    if (outcome !== attempt.outcome) faults.add(`an attempt recorded ${attempt.outcome} became ${outcome}`)
  }
  const messagesAfter = new Map((await readMessages(world, sender)).map((it) => [it.id, it]))
  for (const message of messages) {
    const after = messagesAfter.get(message.id)
    const same = after?.delivery === message.delivery && after?.status === message.status
    if (!same) faults.add(`REVERTED: ${JSON.stringify(message)} became ${JSON.stringify(after)}`)
  }
  faults.end()
  const entries = ledger.read('frozen')
  const tally = await judgeSending({ world, url: api.url, sender, acknowledged, entries, keyed: false })
  expectAtLeast(open?.count ?? 0, 5, 'tries in the hands of the frozen worker')
  expectAtLeast(tally.unknown, 5, 'tries decided without it')
  const seconds = (performance.now() - started) / 1000
  return `frozen with ${open?.count} tries under way until others had finished them, then woken (${budgetNote}): nothing recorded changed${table([{ name: 'keyless', tally, seconds }])}`
}
