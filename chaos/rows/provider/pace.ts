import { allowing, emailWebhook, makeSender, startNodes, triggerEach, untilSettled } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'

const allowedPerSecond = 5
// Calls of one worker that may be under way before it has read its first 429.
const unawares = 10

/** A vendor allows five calls a second; two workers have far more to send. */
export async function pace(world: World): Promise<string> {
  const count = world.small ? 60 : 300
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  let [second, calls] = [0, 0]
  const strict = http.add({
    name: 'strict',
    dedupes: true,
    script() {
      const now = Math.floor(Date.now() / 1000)
      if (now !== second) [second, calls] = [now, 0]
      if (++calls <= allowedPerSecond) return { kind: 'ok', delayMs: 20 }
      return { kind: 'refuse', status: 429, headers: { 'retry-after': '1' } }
    },
  })
  const other = http.add({ name: 'other', dedupes: true, script: () => ({ kind: 'ok' }) })
  const [node] = await startNodes(world, allowing([http.port]), ['start', 'worker'])
  const url = node?.url ?? ''
  const sender = await makeSender(world, url, 'email', [
    emailWebhook(http.url(strict), { identifier: 'strict' }),
    emailWebhook(http.url(other), { identifier: 'other' }),
  ])
  const acknowledged = await triggerEach(
    url,
    sender,
    times(count, (n) => `paced-${n}`),
  )
  const seconds = await untilSettled(world, [sender], 240_000)
  const entries = ledger.read('strict')
  const refused = entries.filter((entry) => entry.action === '429').length
  const faults = collectFaults()
  const tally = await judgeSending({ world, url, sender, acknowledged, entries, keyed: true })
  faults.end()
  expectEqual(tally.arrived, count, 'messages that arrived')
  expectEqual(ledger.count('other'), 0, 'messages that went elsewhere because of a 429')
  expectAtLeast(refused, 1, 'calls that were refused')
  const most = Math.floor(1.2 * count + (world.small ? 2 * unawares : 0))
  const ideal = count / allowedPerSecond
  const told = `${entries.length} calls for ${count} messages (${(entries.length / count).toFixed(2)}, ${refused} refused), ${seconds.toFixed(0)} s where ${ideal.toFixed(0)} s are possible`
  expectAtLeast(most, entries.length, `calls allowed: ${told}`)
  return told
}
