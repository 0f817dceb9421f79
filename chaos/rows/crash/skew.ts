import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Tenant } from '../../lib/http.ts'
import {
  allowing,
  emailWebhook,
  genericSms,
  makeSender,
  triggerEach,
  until,
  untilSettled,
} from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import type { ApiNode } from '../../lib/process.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { shiftedClock } from '../../lib/shifted-clock.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, table } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'

const shiftsMs = [-60_000, 0, 60_000]
const delaySeconds = 6
// A timer is looked at four times a second, and a machine may be busy.
const fireWithinSeconds = 5

/**
 * Three workers whose clocks differ by two minutes, an API node with a fourth opinion, and one worker dies in the middle
 * of its sends. Nothing is stuck, nothing is taken from who is alive, and delays fire at their time.
 */
export async function skewedClocks(world: World): Promise<string> {
  const count = world.small ? 120 : 300
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const slow = () => ({ kind: 'ok', delayMs: world.random.integer(1_000, 3_000) }) as const
  const hook = http.add({ name: 'keyed', dedupes: true, script: slow })
  const texts = http.add({ name: 'at most once', script: slow })
  const settings = allowing([http.port])
  const api = await world.startNode({ ...settings, ...shiftedClock(25_000) }, 'api')
  const workers: ApiNode[] = []
  for (const ms of shiftsMs) workers.push(await world.startNode({ ...settings, ...shiftedClock(ms) }, 'worker'))
  const keyed = await makeSender(world, api.url, 'email', [emailWebhook(http.url(hook))])
  const keyless = await makeSender(world, api.url, 'sms', [genericSms(http.url(texts))])
  await checkShift(api)

  const delays = watchDelays(world, api.url, await makeDelay(world, api.url))
  const names = (kind: string) => times(count, (n) => `${kind}-${n}`)
  const acknowledged = {
    keyed: await triggerEach(api.url, keyed, names('keyed')),
    keyless: await triggerEach(api.url, keyless, names('keyless')),
  }
  const openTries = () =>
    world
      .sql<{ count: number }>('select count(*)::int from attempt where outcome is null')
      .then((it) => it[0]?.count ?? 0)
  await until(async () => ledger.count() >= 40 && (await openTries()) >= 20, 60_000, 'sends under way')
  const victim = world.random.integer(0, 2)
  await workers[victim]?.kill()
  const killed = performance.now()
  const open = await openTries()
  const recovered = await untilSettled(world, [keyed, keyless], 120_000)
  const seconds = (performance.now() - killed) / 1000
  const given = { world, url: api.url }
  const tallies = [
    {
      name: 'keyed',
      seconds: recovered,
      tally: await judgeSending({
        ...given,
        sender: keyed,
        acknowledged: acknowledged.keyed,
        entries: ledger.read('keyed'),
        keyed: true,
      }),
    },
    {
      name: 'at most once',
      seconds: recovered,
      tally: await judgeSending({
        ...given,
        sender: keyless,
        acknowledged: acknowledged.keyless,
        entries: ledger.read('at most once'),
        keyed: false,
      }),
    },
  ]
  const unknown = tallies.reduce((sum, { tally }) => sum + tally.unknown, 0)
  expectEqual(tallies[1]?.tally.doubles, 0, 'texts that came twice')
  expectThat(unknown <= open, `${unknown} tries were given up, and only ${open} were under way at the kill`)
  expectAtLeast(unknown, 1, 'tries of the dead worker that others decided')
  const fired = await delays()
  const ahead = shiftsMs[victim] ?? 0
  return `clocks at ${shiftsMs.map((ms) => ms / 1000).join(', ')} s, the one at ${ahead / 1000} s killed with some of ${open} sends in hand; all settled ${seconds.toFixed(1)} s later; ${fired}${table(tallies)}`
}

/** The shift is in the process itself: its log and its replies show it. */
async function checkShift(api: ApiNode): Promise<void> {
  const reply = await send(api.url, 'GET', '/health/live')
  const shown = Date.parse(reply.headers.get('date') ?? '') - Date.now()
  expectThat(shown > 20_000 && shown < 30_000, `the clock of the API node is ${shown} ms ahead instead of 25,000`)
}

async function makeDelay(world: World, url: string): Promise<Tenant> {
  const tenant = await world.tenant()
  const steps = [
    { name: 'Wait', type: 'delay', controlValues: { amount: delaySeconds, unit: 'seconds' } },
    { name: 'Inbox', type: 'in_app', controlValues: { body: 'now' } },
  ]
  const body = { workflowId: 'delay', name: 'delay', steps }
  const made = await send(url, 'POST', '/v2/workflows', { key: tenant.key, body })
  expectEqual(made.status, 201, `making a workflow: ${made.text}`)
  return tenant
}

/** Delays begun one after the other; each message is seen by us, on our own clock, when its time has come. */
function watchDelays(world: World, url: string, tenant: Tenant): () => Promise<string> {
  const count = 20
  const begun = new Map<string, number>()
  const seen = new Map<string, number>()
  const begin = async () => {
    for (let n = 0; n < count; n++) {
      const transactionId = `delay-${n}`
      begun.set(transactionId, performance.now())
      const body = { name: 'delay', transactionId, to: `p${n}` }
      const reply = await send(url, 'POST', '/v1/events/trigger', { key: tenant.key, body })
      expectEqual(reply.status, 201, `triggering a delay: ${reply.text}`)
      await sleep(100)
    }
  }
  const watch = async () => {
    const started = performance.now()
    while (seen.size < count) {
      const rows = await world.sql<{ about: string }>(
        'select transaction_id as about from message where environment_id = $1',
        [tenant.environmentId],
      )
      for (const { about } of rows) if (!seen.has(about)) seen.set(about, performance.now())
      expectThat(performance.now() - started < 60_000, `${seen.size} of ${count} delays have fired within 60 s`)
      await sleep(50)
    }
  }
  const done = Promise.all([begin(), watch()])
  // Told by whoever asks for the outcome.
  done.catch(() => {})
  return async () => {
    await done
    const faults = collectFaults()
    const waits = [...seen].map(([about, at]) => (at - (begun.get(about) ?? 0)) / 1000)
    for (const seconds of waits) {
      // Begun a moment after we said so, never before.
      const isInTime = seconds >= delaySeconds && seconds < delaySeconds + fireWithinSeconds
      if (!isInTime) faults.add(`a delay of ${delaySeconds} s fired after ${seconds.toFixed(1)} s`)
    }
    faults.end()
    return `${waits.length} delays of ${delaySeconds} s fired after ${Math.min(...waits).toFixed(1)} to ${Math.max(...waits).toFixed(1)} s`
  }
}
