import { setTimeout as sleep } from 'node:timers/promises'
import { allowing, untilSettled } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { expectAtLeast } from '../../lib/red.ts'
import { makeSingleWorkflows, startSingleLoad, untilNextAnswer } from '../../lib/single-load.ts'
import { untilAcknowledged, untilInFlight } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkSingles, readAtOnce } from '../../oracles/at-once.ts'
import { checkConservation } from '../../oracles/delivery.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'

const killsOfRound = 3

/**
 * kill -9 of API nodes under single triggers that have no keys; who gets no answer repeats its transactionId, if it gave
 * one, at a node that is left. No worker runs meanwhile: what is over was ended by those who accepted it.
 */
export async function killsAtOnce(world: World): Promise<string> {
  const rounds = world.small ? 1 : 6
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const hook = http.add({ name: 'mails', dedupes: true, script: () => ({ kind: 'ok' }) })
  const settings = allowing([http.port])
  const tenant = await world.tenant()
  const start = () => Promise.all(times(killsOfRound, () => world.startNode(settings)))
  let [last, nodes] = [await world.startNode(settings), await start()]
  await makeSingleWorkflows(last.url, tenant, http.url(hook))
  const targets = [last.url, ...nodes.map((node) => node.url)]
  const load = startSingleLoad(world, { tenant, targets, clients: 24, alwaysAnswered: false })
  let [killed, underFire] = [0, 0]
  for (let round = 0; round < rounds && !load.hasFailed(); round++) {
    if (round > 0) {
      // The one that was left is among the next victims.
      nodes = [last, ...(await start())]
      last = nodes.pop() ?? last
      targets.push(last.url, ...nodes.slice(1).map((node) => node.url))
    }
    for (const node of nodes) {
      await sleep(world.random.integer(200, 800))
      // Most die right after an answer, the others at any moment.
      if (killed % 3 !== 1) await untilNextAnswer(load, node.url)
      await untilInFlight(load)
      if (load.inFlight() > 0) underFire++
      targets.splice(targets.indexOf(node.url), 1)
      await node.kill()
      killed++
    }
  }
  await untilAcknowledged(load, world.small ? 300 : 2_000)
  await load.stop()
  const { events, ended, transactions } = await readAtOnce(world, tenant)
  await world.startNode(settings, 'worker')
  const seconds = await untilSettled(world, [{ tenant, channel: 'email', integrationIds: [] }], 60_000)
  const given = { url: last.url, tenant, book: load.book, entries: ledger.read('mails') }
  const told = await checkSingles(world, given)
  await checkConservation(world)
  const cut = load.book.tries.filter((it) => it.outcome === 'no reply').length
  expectAtLeast(ended, events / 2, 'events that ended when they were accepted')
  expectAtLeast(events / transactions, 1.1, 'events of a transaction')
  expectAtLeast(underFire, killed - 1, 'kills while requests were in flight')
  expectAtLeast(cut, killed, 'requests cut off')
  return `${killed} × kill -9 (${cut} requests cut off): ${told}; ${ended} of ${events} events ended when they were accepted, in ${transactions} transactions; the rest and the mails ${seconds.toFixed(1)} s after a worker began`
}
