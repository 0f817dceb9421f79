import { send } from './http.ts'
import { expectThat } from './red.ts'
import { longestPauseMs, stolenMs } from './stolen-time.ts'

const lastRead = new Map<string, { at: number; stolen: number }>()

/**
 * How long the event loop of a node was held up at most since this was last asked for, as the node itself measured.
 * Without what the machine took from everybody meanwhile: a virtual machine may stand still for half a second.
 */
export async function readDelayMs(url: string): Promise<number> {
  const { text } = await send(url, 'GET', '/metrics')
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]
  expectThat(seconds !== undefined, 'nodejs_eventloop_lag_max_seconds is not in /metrics')
  const now = { at: performance.now(), stolen: stolenMs() }
  const before = lastRead.get(url) ?? now
  lastRead.set(url, now)
  const taken = Math.max(now.stolen - before.stolen, longestPauseMs(before.at))
  return Math.max(0, Math.round(Number(seconds) * 1000 - taken))
}
