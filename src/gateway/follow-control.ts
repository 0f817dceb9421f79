import type { Logger } from 'pino'
import { listPlacements } from '../store/access/placements.ts'
import { openDatabase } from '../store/database.ts'
import type { Places } from './places.ts'
import type { Snapshot } from './snapshot.ts'

export type Control = {
  /** Seconds since the table was last read; null: never, or there is no control database. */
  ageSeconds(): number | null
  stop(): Promise<void>
}

const everyMs = 1_000
// Rows whose transaction was open when we last looked have an older time than we have seen.
const overlapSeconds = 60
const patienceMs = 5_000

/** Reads the table of moved environments each second. While it cannot be read, what is known stays as it is. */
export function followControl(url: string, places: Places, snapshot: Snapshot, log: Logger): Control {
  const database = openDatabase({
    url,
    poolSize: 1,
    // A role that does not own the table sees all of it only so.
    rowLevelSecurity: true,
    onError() {},
    statementTimeoutMs: patienceMs,
  })
  let readAt: number | null = null
  let isAway = false
  let stopped = false
  let round: Promise<void> = Promise.resolve()

  const look = async () => {
    try {
      const rows = await listPlacements(database.db, readAt === null ? null : overlapSeconds + secondsSince(readAt))
      const isNews = rows.map(({ environmentId, cell, generation }) => places.move(environmentId, { cell, generation }))
      if (isNews.includes(true)) snapshot.write()
      if (isAway) log.info('the control database is back')
      readAt = performance.now()
      isAway = false
    } catch (error) {
      if (!isAway && !stopped) log.warn({ err: error }, 'the control database is away; the map stays as it is')
      isAway = true
    }
    if (!stopped) timer = setTimeout(next, everyMs)
  }
  const next = () => {
    round = look()
  }
  let timer = setTimeout(next, 0)

  return {
    ageSeconds: () => (readAt === null ? null : secondsSince(readAt)),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
      await database.close()
    },
  }
}

function secondsSince(at: number): number {
  return (performance.now() - at) / 1000
}
