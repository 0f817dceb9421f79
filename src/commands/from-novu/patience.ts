import { type Headers, NotWorthAnother, type ServerReply } from '../../egress/call-server.ts'

/** Somebody pressed Ctrl-C, or a signal came. */
export class Stopped extends Error {}

// A second, two, four … half a minute: together two minutes.
const tries = 7
const longestWaitMs = 30_000
// A server that says when to come back is believed, up to an hour.
const mostRetryAfterMs = 3_600_000
// Less than this is no answer to when: a server that says "now" each time would be called without an end.
const leastRetryAfterMs = 1_000
// For one call, of a server that puts it off again and again.
const mostPutOffMs = 86_400_000
const worthAnother = new Set([408, 425, 429, 500, 502, 503, 504])

export type Patience = {
  /** Calls until there is an answer that is worth having, or this many attempts failed. Waits when the server asks for it. */
  call(attempt: () => Promise<ServerReply>): Promise<ServerReply>
  readonly counts: { calls: number; retries: number; waitedMs: number }
}

type Options = { lanes: number; stop: AbortSignal; now?: () => number; firstWaitMs?: number }

/** One server: at most some calls at a time, and when it asks to wait, all of them wait. */
export function createPatience({ lanes, stop, now = Date.now, firstWaitMs = 1_000 }: Options): Patience {
  const counts = { calls: 0, retries: 0, waitedMs: 0 }
  let notBefore = 0
  let free = lanes
  const waiting: (() => void)[] = []

  const enter = async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const pause = async () => {
    for (let left = notBefore - now(); left > 0; left = notBefore - now()) {
      counts.waitedMs += left
      await sleep(left, stop)
    }
  }

  async function call(attempt: () => Promise<ServerReply>): Promise<ServerReply> {
    let putOffMs = 0
    for (let failed = 0; ; ) {
      if (stop.aborted) throw new Stopped()
      await pause()
      counts.calls += 1
      const reply = await attempt().catch((error: unknown) => {
        if (stop.aborted) throw new Stopped()
        if (error instanceof NotWorthAnother) throw error
        return error instanceof Error ? error : new Error(String(error))
      })
      const asked = reply instanceof Error ? null : askedToWait(reply, now())
      if (asked !== null) notBefore = Math.max(notBefore, now() + asked)
      if (!(reply instanceof Error) && !worthAnother.has(reply.status)) return reply
      // What says when it will work again does not count as a failure.
      const isAsked =
        !(reply instanceof Error) &&
        reply.status === 429 &&
        asked !== null &&
        asked >= leastRetryAfterMs &&
        putOffMs < mostPutOffMs
      if (isAsked) putOffMs += asked
      else failed += 1
      if (failed >= tries) {
        if (reply instanceof Error) throw reply
        return reply
      }
      counts.retries += 1
      if (!isAsked) await sleep(Math.min(longestWaitMs, firstWaitMs * 2 ** (failed - 1)), stop)
    }
  }

  return {
    counts,
    async call(attempt) {
      await enter()
      try {
        return await call(attempt)
      } finally {
        leave()
      }
    },
  }
}

/** For how many milliseconds: by Retry-After, or because the budget is used up. Null: it does not say. */
export function askedToWait({ status, headers }: { status: number; headers: Headers }, now: number): number | null {
  const [retryAfter] = [headers['retry-after']].flat()
  if (retryAfter !== undefined && (status === 429 || status === 503)) {
    const waits = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
    if (!Number.isNaN(waits)) return bounded(waits)
  }
  const remaining = numberIn(headers, 'ratelimit-remaining')
  const reset = numberIn(headers, 'ratelimit-reset')
  if (reset === null || (remaining !== 0 && status !== 429)) return null
  // Seconds from now, or a time: in seconds, or in milliseconds.
  const until = reset > 1e12 ? reset : reset > 1e9 ? reset * 1000 : now + reset * 1000
  return bounded(until - now)
}

function bounded(ms: number): number {
  return Math.min(mostRetryAfterMs, Math.max(0, ms))
}

function numberIn(headers: Headers, name: string): number | null {
  const [text = ''] = [headers[`x-${name}`] ?? headers[name]].flat()
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}

function sleep(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stop.aborted) return reject(new Stopped())
    const done = () => {
      clearTimeout(timer)
      reject(new Stopped())
    }
    const timer = setTimeout(() => {
      stop.removeEventListener('abort', done)
      resolve()
    }, ms)
    stop.addEventListener('abort', done, { once: true })
  })
}
