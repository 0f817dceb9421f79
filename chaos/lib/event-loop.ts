import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './http.ts'
import { expectThat } from './red.ts'
import { longestPauseMs, stolenMs } from './stolen-time.ts'

// What was stolen in a longer time was not stolen at once.
const longestGlanceMs = 3_000
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
  const stolen = now.at - before.at < longestGlanceMs ? now.stolen - before.stolen : 0
  const taken = Math.max(stolen, longestPauseMs(before.at))
  return Math.max(0, Math.round(Number(seconds) * 1000 - taken))
}

/** Looks every second while `work` is under way. */
export async function watchDelayMs(url: string, work: Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  await readDelayMs(url)
  const over = work.finally(() => {
    isOver = true
  })
  over.catch(() => {})
  while (!isOver) {
    await sleep(1_000)
    longest = Math.max(longest, await readDelayMs(url))
  }
  await over
  return longest
}
