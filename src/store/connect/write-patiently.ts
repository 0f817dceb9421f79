import { setTimeout as sleep } from 'node:timers/promises'
import { EnvironmentHeld } from '../../errors.ts'
import { isDatabaseUnavailable } from '../database.ts'

// Longer than a standby needs to take over (20 to 30 s). Until then an answer that is not recorded stays unknown.
const patienceMs = 60_000
const shortestPauseMs = 200
const longestPauseMs = 1_000

/** Writes what must not be lost, again and again for a minute while the database is away. */
export async function writePatiently(write: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      await write()
      return
    } catch (error) {
      if (performance.now() - began > patienceMs || isForGood(error) || !isDatabaseUnavailable(error)) throw error
      await sleep(pauseMs)
    }
  }
}

/** The environment was deleted, or lives elsewhere: who waits for it only keeps the process from stopping. */
function isForGood(error: unknown): boolean {
  return error instanceof EnvironmentHeld && error.held.state === 'departed'
}
