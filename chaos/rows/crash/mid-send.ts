import { setTimeout as sleep } from 'node:timers/promises'
import { allowing, genericSms, makeSender, startNodes, triggerEach, until } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { expectAtLeast, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, table } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'

const limitSeconds = 20

/** A worker dies while an API has its calls; another worker runs. What was in flight is decided soon, and once. */
export async function midSend(world: World): Promise<string> {
  const count = 60
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const texts = http.add({ name: 'texts', script: () => ({ kind: 'ok', delayMs: 4_000 }) })
  const settings = allowing([http.port])
  const api = await world.startNode(settings, 'api')
  const victim = await world.startNode(settings, 'worker')
  const sender = await makeSender(world, api.url, 'sms', [genericSms(http.url(texts))])
  const acknowledged = await triggerEach(
    api.url,
    sender,
    times(count, (n) => `text-${n}`),
  )
  await until(() => ledger.count() >= 20, 60_000, 'the first 20 texts')
  await victim.kill()
  const killed = performance.now()
  const inFlight = async () => {
    const rows = await world.sql<{ count: number }>('select count(*)::int from message where in_flight')
    return rows[0]?.count ?? 0
  }
  const open = await inFlight()
  const starting = performance.now()
  await startNodes(world, settings, ['worker'])
  const startMs = performance.now() - starting
  // What the next one takes up by itself is in flight too, for the 4 s of an answer.
  const stuck = async () =>
    world.sql<{ id: string }>(
      'select a.id from attempt a where a.outcome is null and a.started_at < clock_timestamp() - $1::interval',
      [`${(performance.now() - killed) / 1000 + 0.5} seconds`],
    )
  while ((await stuck()).length > 0) {
    const seconds = (performance.now() - killed) / 1000
    expectThat(seconds < 120, `${(await stuck()).length} tries are still open ${seconds.toFixed(0)} s after the kill`)
    await sleep(50)
  }
  const seconds = (performance.now() - killed) / 1000
  await until(async () => (await inFlight()) === 0, 60_000, 'the end of what the next worker sends')
  await until(
    async () => (await world.sql("select 1 from message where delivery = 'open' limit 1")).length === 0,
    60_000,
    'an end of every message',
  )
  const entries = ledger.read('texts')
  const tally = await judgeSending({ world, url: api.url, sender, acknowledged, entries, keyed: false })
  expectAtLeast(open, 20, 'tries in the hands of the dead worker')
  expectThat(tally.doubles === 0 && tally.unknown === open, `${tally.unknown} tries decided of ${open} in flight`)
  const slack = startMs / 1000 > limitSeconds - 10 ? startMs / 1000 : 0
  expectThat(seconds < limitSeconds + slack, `decided after ${seconds.toFixed(1)} s instead of ${limitSeconds}`)
  return `killed with ${open} calls under way; all decided ${seconds.toFixed(1)} s later (limit ${limitSeconds}), each once${table([{ name: 'at most once', tally, seconds }])}`
}
