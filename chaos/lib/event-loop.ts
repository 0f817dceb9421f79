import { send } from './http.ts'
import { expectThat } from './red.ts'

/** How long the event loop of a node was held up at most since this was last asked for, as the node itself measured. */
export async function readDelayMs(url: string): Promise<number> {
  const { text } = await send(url, 'GET', '/metrics')
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]
  expectThat(seconds !== undefined, 'nodejs_eventloop_lag_max_seconds is not in /metrics')
  return Math.round(Number(seconds) * 1000)
}
