import { setTimeout as sleep } from 'node:timers/promises'
import { chunks } from '../../../src/lib/chunks.ts'
import { send, type Tenant } from '../../lib/http.ts'
import {
  allowing,
  emailWebhook,
  genericSms,
  makeSender,
  type Sender,
  triggerEach,
  until,
  untilSettled,
} from '../../lib/outside-stage.ts'
import { inParallel, times } from '../../lib/parallel.ts'

import type { ApiNode } from '../../lib/process.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { shiftedClock } from '../../lib/shifted-clock.ts'
import { onlyQueued } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, table } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'

const shiftsMs = [-60_000, 0, 60_000]
// Longer than a busy machine takes to begin it: one that fires early must be seen.
const delaySeconds = 20
// What the dead worker had in hand is taken over some 10 s later, and a machine may be busy. A clock that counts would
// make it a minute or more.
const fireWithinSeconds = 45

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
  const texts = http.add({ name: 'texts', script: slow })
  const settings = allowing([http.port])
  // The delays wait in the queue anyway. What is sent goes there or ends at the API node, with each seed another way.
  const path = world.random.chance(0.5) ? onlyQueued : {}
  const api = await world.startNode({ ...settings, ...path, ...shiftedClock(25_000), LOG_LEVEL: 'info' }, 'api')
  const workers: ApiNode[] = []
  for (const ms of shiftsMs) workers.push(await world.startNode({ ...settings, ...shiftedClock(ms) }, 'worker'))
  const keyed = await makeSender(world, api.url, 'email', [emailWebhook(http.url(hook))])
  const keyless = await makeSender(world, api.url, 'sms', [genericSms(http.url(texts))])
  await checkShift(api)

  const delays = watchDelays(world, api.url, await makeDelay(world, api.url))
  const names = (kind: string) => times(count, (n) => `${kind}-${n}`)
  // In small bulks: every worker gets some.
  const trigger = async (sender: Sender, kind: string) =>
    (await inParallel(chunks(names(kind), 10), 4, (some) => triggerEach(api.url, sender, some))).flat()
  const acknowledged = { keyed: await trigger(keyed, 'keyed'), keyless: await trigger(keyless, 'keyless') }
  const openTries = () =>
    world
      .sql<{ count: number }>('select count(*)::int from attempt where outcome is null')
      .then((it) => it[0]?.count ?? 0)
  await until(async () => ledger.count() >= 40 && (await openTries()) >= 20, 60_000, 'sends under way')
  const victim = await busiest(workers)
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
        entries: ledger.read('texts'),
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

/** The shift is in the process itself: the lines of its log are dated by it. */
async function checkShift(api: ApiNode): Promise<void> {
  await send(api.url, 'GET', '/health/live')
  const isLogged = () => /"time":\d+/.test(api.output())
  await until(isLogged, 20_000, 'a line of the log')
  const shown = Number(/.*"time":(\d+)/s.exec(api.output())?.[1]) - Date.now()
  expectThat(shown > 15_000 && shown < 26_000, `the clock of the API node is ${shown} ms ahead instead of 25,000`)
}

/** The worker that has made most calls so far: it has some under way. */
async function busiest(workers: readonly ApiNode[]): Promise<number> {
  const calls = await Promise.all(
    workers.map(async ({ url }) => {
      const { text } = await send(url, 'GET', '/metrics')
      const counts = [...text.matchAll(/^tidings_provider_seconds_count\S* (\d+)$/gm)]
      return counts.reduce((sum, [, count]) => sum + Number(count), 0)
    }),
  )
  return calls.indexOf(Math.max(...calls))
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
  const count = 30
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
      expectThat(performance.now() - started < 120_000, `${seen.size} of ${count} delays have fired within 120 s`)
      await sleep(50)
    }
  }
  const done = Promise.all([begin(), watch()])
  // Told by whoever asks for the outcome.
  done.catch(() => {})
  return async () => {
    await done
    const faults = collectFaults()
    const waits = [...seen].map(([about, at]) => (at - (begun.get(about) ?? 0)) / 1000).sort((a, b) => a - b)
    for (const seconds of waits) {
      // Begun a moment after we said so, never before.
      const isInTime = seconds >= delaySeconds && seconds < delaySeconds + fireWithinSeconds
      if (!isInTime) faults.add(`a delay of ${delaySeconds} s fired after ${seconds.toFixed(1)} s`)
    }
    faults.end()
    const [first, middle, last] = [0, waits.length / 2, waits.length - 1].map((n) => waits[n]?.toFixed(1))
    return `${waits.length} delays of ${delaySeconds} s fired after ${first} s, most within ${middle} s, what had to be taken over within ${last} s`
  }
}
