import type { Logger } from 'pino'
import { Client, Pool } from 'undici'

/** 'down': it does not answer at all, so nothing is sent to it. 'not ready': it answers, and says that it cannot work. */
export type CellState = 'ready' | 'not ready' | 'down'

export type Cell = {
  name: string
  url: URL
  pool: Pool
  /** A connection for one answer that may take hours; pooled ones are for the others. */
  openStream(): Client
  state(): CellState
  /** A place among the requests that wait for this cell's answer; null: it is full, or down. Give it back once. */
  enter(left: AbortSignal): Promise<(() => void) | null>
  use(): { inHand: number; waiting: number; open: number }
  /** Answers being passed on, streams and sockets. False: too many. */
  open(): boolean
  closed(): void
  close(): Promise<void>
}

export type CellLimits = {
  /** Requests of one cell that wait for an answer at a time. */
  inHand: number
  /** Further ones, each for a second. */
  waiting: number
  /** Answers, streams and sockets under way. */
  open: number
  /** How long a cell may take to begin an answer. */
  answerMs: number
}

export const waitMs = 1_000
const probeEveryMs = 1_000
const probeWithinMs = 2_000
// One that is lost may be chance.
const downAfter = 2
// Cells close idle connections after 72 s; ours must not be in use at that moment.
const keepIdleMs = 10_000
const connectWithinMs = 2_000
// Streams say something every 15 s.
const silenceMs = 60_000

const clientOptions = {
  pipelining: 1,
  keepAliveTimeout: keepIdleMs,
  keepAliveMaxTimeout: keepIdleMs,
  maxHeaderSize: 64 * 1024,
  bodyTimeout: silenceMs,
  connect: { timeout: connectWithinMs },
}

export function openCell(name: string, url: URL, limits: CellLimits, log: Logger): Cell {
  const options = { ...clientOptions, headersTimeout: limits.answerMs }
  const pool = new Pool(url.origin, { ...options, connections: null })
  const places = createPlacesInHand(limits)
  let state: CellState = 'ready'
  let opened = 0
  const probe = startProbe(url, (next) => {
    if (next === state) return
    log[next === 'ready' ? 'info' : 'warn']({ cell: name, state: next, was: state }, 'the state of a cell changed')
    state = next
    if (next === 'down') places.refuseWaiting()
  })
  return {
    name,
    url,
    pool,
    openStream: () => new Client(url.origin, options),
    state: () => state,
    enter: (left) => (state === 'down' ? Promise.resolve(null) : places.enter(left)),
    use: () => ({ ...places.use(), open: opened }),
    open() {
      if (opened >= limits.open) return false
      opened++
      return true
    },
    closed() {
      opened--
    },
    async close() {
      await probe.stop()
      await pool.destroy()
    },
  }
}

type Waiter = (place: (() => void) | null) => void

/** First come, first served; nobody waits longer than a second. */
function createPlacesInHand({ inHand: most, waiting: mostWaiting }: CellLimits) {
  const waiting = new Set<Waiter>()
  let inHand = 0

  const take = () => {
    let isTaken = true
    inHand++
    return () => {
      if (!isTaken) return
      isTaken = false
      inHand--
      const [next] = waiting
      if (next && inHand < most) next(take())
    }
  }

  return {
    use: () => ({ inHand, waiting: waiting.size }),
    enter(left: AbortSignal): Promise<(() => void) | null> {
      if (inHand < most) return Promise.resolve(take())
      if (waiting.size >= mostWaiting) return Promise.resolve(null)
      return new Promise((resolve) => {
        const settle: Waiter = (place) => {
          clearTimeout(timer)
          left.removeEventListener('abort', leave)
          waiting.delete(settle)
          resolve(place)
        }
        const leave = () => settle(null)
        const timer = setTimeout(settle, waitMs, null)
        left.addEventListener('abort', leave)
        waiting.add(settle)
      })
    },
    refuseWaiting() {
      for (const waiter of waiting) waiter(null)
    },
  }
}

/**
 * Asks every second whether the cell answers. This alone opens and closes its breaker: single requests may fail for
 * reasons of their own, and none of them has to be sacrificed to find out that a cell is back.
 */
function startProbe(url: URL, tell: (state: CellState) => void): { stop(): Promise<void> } {
  const client = new Client(url.origin, { ...clientOptions, headersTimeout: probeWithinMs, bodyTimeout: probeWithinMs })
  let failures = 0
  let stopped = false
  const ask = async (path: string) => {
    const signal = AbortSignal.timeout(probeWithinMs)
    const { statusCode, body } = await client.request({ method: 'GET', path, signal })
    await body.dump()
    return statusCode
  }
  const look = async () => {
    try {
      await ask('/health/live')
      failures = 0
      // It may take two seconds when the database hangs, which makes the cell not ready, not down.
      const status = await ask('/health/ready').catch(() => 503)
      if (!stopped) tell(status === 200 ? 'ready' : 'not ready')
    } catch {
      failures++
      if (failures >= downAfter && !stopped) tell('down')
    }
    if (!stopped) timer = setTimeout(look, probeEveryMs)
  }
  let timer = setTimeout(look, 0)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await client.destroy()
    },
  }
}
