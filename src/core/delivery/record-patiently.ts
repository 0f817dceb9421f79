import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../store/database.ts'

// Waits for the database to come back: an answer that is not recorded stays unknown.
const againAfterMs = [200, 500, 1_000, 2_000, 4_000, 8_000]

/** Writes what came of a try, again and again for some seconds while the database is away. */
export async function recordPatiently(write: () => Promise<unknown>): Promise<void> {
  for (const pauseMs of [...againAfterMs, null]) {
    try {
      await write()
      return
    } catch (error) {
      if (pauseMs === null || !isDatabaseUnavailable(error)) throw error
      await sleep(pauseMs)
    }
  }
}
