import type pg from 'pg'
import type { Logger } from 'pino'
import { type Hint, openHintPool, sendHints } from '../../store/hints.ts'

export type Hints = {
  /** Returns at once. Call it after the commit: a hint that comes before its row finds nothing. */
  tell(hints: readonly Hint[]): void
  close(): Promise<void>
}

// Long enough to gather what a page of recipients writes, too short to be felt.
const gatherMs = 15
// Past this nobody reads them in time; each node's own look finds the rows.
const mostWaiting = 100_000

type Options = { url: string; log: Logger; watchPool?: (pool: pg.Pool, silentMs: number) => void }

/** News for browsers, after the commit and over a connection of its own: no transaction waits for them. */
export function createHints({ url, log, watchPool }: Options): Hints {
  let pool: pg.Pool | undefined
  let waiting: Hint[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  const connect = () => {
    const opened = openHintPool(url)
    watchPool?.(opened, 10_000)
    return opened
  }

  async function send(): Promise<void> {
    timer = undefined
    const hints = waiting
    waiting = []
    pool ??= connect()
    await sendHints(pool, hints).catch((error: unknown) => log.debug({ err: error }, 'hints were not sent'))
    sending = undefined
    if (waiting.length > 0) later()
  }

  function later(): void {
    // One statement at a time: while it is under way the next ones gather.
    timer ??= setTimeout(() => {
      sending = send()
    }, gatherMs)
  }

  return {
    tell(hints) {
      if (hints.length === 0 || waiting.length + hints.length > mostWaiting) return
      waiting.push(...hints)
      if (!sending) later()
    },
    async close() {
      clearTimeout(timer)
      timer = undefined
      await sending
      if (waiting.length > 0) await send()
      await pool?.end()
    },
  }
}
