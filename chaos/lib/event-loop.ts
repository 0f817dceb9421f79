import { send } from './http.ts'
import { expectThat } from './red.ts'
import { stolenMs } from './stolen-time.ts'

const stolenBefore = new Map<string, number>()

/**
 * How long the event loop of a node was held up at most since this was last asked for, as the node itself measured.
 * Without what the machine's host took from all its cores meanwhile: a virtual machine may get none for half a second.
 */
export async function readDelayMs(url: string): Promise<number> {
  const { text } = await send(url, 'GET', '/metrics')
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]
  expectThat(seconds !== undefined, 'nodejs_eventloop_lag_max_seconds is not in /metrics')
  const stolen = stolenMs()
  const taken = stolen - (stolenBefore.get(url) ?? stolen)
  stolenBefore.set(url, stolen)
  return Math.max(0, Math.round(Number(seconds) * 1000 - taken))
}
