import { TidingsError } from './tidings-error.ts'
import { wait } from './wait.ts'

/** How long a call goes on trying. */
export type Patience = {
  /** How often it is tried at most. */
  tries: number
  /** How long one try may take. */
  timeoutMs: number
  /** How long the whole call may take, with its waits. */
  withinMs: number
}

export const usualPatience: Patience = { tries: 5, timeoutMs: 20_000, withinMs: 60_000 }

// 0: no answer. 408: the request came too slowly. The others: not now.
const retryable = [0, 408, 429, 502, 503, 504]

/** Tries again what may go well the next time. `attempt` must do no harm when it is repeated. */
export async function withRetries<T>(
  { tries, timeoutMs, withinMs }: Patience,
  attempt: (timeoutMs: number) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const until = Date.now() + withinMs
  for (let tried = 1; ; tried++) {
    try {
      return await attempt(Math.max(1, Math.min(timeoutMs, until - Date.now())))
    } catch (error) {
      const waitMs = waitAfter(error, tried)
      if (waitMs === null || tried >= tries || Date.now() + waitMs >= until) throw error
      await wait(waitMs, signal)
    }
  }
}

/** How long to wait before the next try; null if another try is of no use. */
function waitAfter(error: unknown, tried: number): number | null {
  if (!(error instanceof TidingsError)) return null
  // The first try with this key still runs: the next one gets its answer.
  const isRetryable = retryable.includes(error.status) || error.code === 'request_in_flight'
  if (!isRetryable) return null
  // Never all at the same moment, nor before the service asked for it.
  if (error.retryAfterMs !== undefined) return error.retryAfterMs + Math.random() * 500
  return (0.5 + Math.random() / 2) * Math.min(10_000, 250 * 2 ** tried)
}

/** `Retry-After`: seconds, or a time. */
export function readRetryAfter(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined
  const seconds = Number(text)
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1_000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
