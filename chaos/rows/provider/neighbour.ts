import { setTimeout as sleep } from 'node:timers/promises'
import { allowing, emailWebhook, makeSender, type Sender, triggerEach, until } from '../../lib/outside-stage.ts'
import { expectAtLeast, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { type Ledger, openLedger } from '../../simulators/ledger.ts'
import { type Action, startHttpSimulator } from '../../simulators/provider-simulator.ts'

// What a machine's own unrest makes of a percentile: below this nothing is told apart.
const floorMs = 250
// Slow enough for a machine with other things to do: nobody may wait for the processor.
const everyMs = 100

type Phase = { name: string; p50: number; p99: number; count: number }

/**
 * One integration hangs under a steady load, another one of another tenant goes on: how long its messages take, from the
 * trigger to the provider, beside the same load with nobody hanging.
 */
export async function neighbour(world: World): Promise<string> {
  const count = world.small ? 80 : 150
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const busy: { action: Action } = { action: { kind: 'ok', delayMs: 20 } }
  const [noisy, quiet] = [
    http.add({ name: 'noisy', dedupes: true, script: () => busy.action }),
    http.add({ name: 'quiet', dedupes: true, script: () => ({ kind: 'ok', delayMs: 20 }) }),
  ]
  const node = await world.startNode(allowing([http.port]), 'start')
  const noisySender = await makeSender(world, node.url, 'email', [emailWebhook(http.url(noisy))])
  const quietSender = await makeSender(world, node.url, 'email', [emailWebhook(http.url(quiet))])
  const phase = async (name: string): Promise<Phase> => {
    const before = ledger.count('noisy')
    const crowd = startCrowd(node.url, noisySender, name)
    try {
      await until(() => ledger.count('noisy') >= before + 5, 60_000, `requests of the noisy one, ${name}`)
      return { name, ...(await measure(node.url, quietSender, ledger, `quiet-${name}`, count)) }
    } finally {
      await crowd.stop()
    }
  }
  await phase('warm')
  const well = await phase('well')
  busy.action = { kind: 'hang' }
  const hung = await phase('hanging')
  const most = 2 * Math.max(well.p99, floorMs)
  const tell = ({ name, p50, p99 }: Phase) => `${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
  const hanging = ledger.read('noisy').filter((entry) => entry.action === 'hang').length
  expectAtLeast(hanging, 5, 'requests that hang')
  expectThat(
    hung.p99 < most,
    `the neighbour of an integration that hangs: ${tell(hung)}; without: ${tell(well)} (at most ${most.toFixed(0)} ms)`,
  )
  return `${tell(well)}; ${tell(hung)} (below ${most.toFixed(0)} ms; ${hung.count} messages, ${hanging} requests hanging beside them)`
}

/** One message each time: little work, and every one a task that a worker may have to wait for. */
function startCrowd(url: string, sender: Sender, name: string) {
  let isStopped = false
  const run = async () => {
    const begun: Promise<unknown>[] = []
    for (let n = 0; !isStopped; n++) {
      begun.push(triggerEach(url, sender, [`noisy-${name}-${n}`]))
      await sleep(everyMs)
    }
    await Promise.all(begun)
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** As many, each alone, until all have arrived. */
async function measure(url: string, sender: Sender, ledger: Ledger, name: string, count: number) {
  const triggered = new Map<string, number>()
  const begun: Promise<unknown>[] = []
  for (let n = 0; n < count; n++) {
    const about = `${name}-${n}`
    triggered.set(about, Date.now())
    begun.push(triggerEach(url, sender, [about]))
    await sleep(everyMs)
  }
  await Promise.all(begun)
  const arrived = () => ledger.read('quiet').filter((entry) => triggered.has(entry.about))
  const isOver = async () => {
    await sleep(200)
    return arrived().length >= count
  }
  await until(isOver, 90_000, `${count} messages of the quiet one to arrive`)
  const took = arrived()
    .map(({ about, at }) => at - (triggered.get(about) ?? at))
    .sort((a, b) => a - b)
  const percentile = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  return { p50: percentile(0.5), p99: percentile(0.99), count: took.length }
}
