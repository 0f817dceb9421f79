import { readLimit } from './check-options.ts'
import { TidingsError } from './tidings-error.ts'
import { longestTimerMs, wait } from './wait.ts'

/** How often and for how long a call is repeated when the service does not answer or asks to wait. */
export type RetryOptions = {
  /** The number of attempts, including the first one. */
  attempts: number
  /** The time that one attempt may take. */
  timeoutMs: number
  /** The time that the whole call may take, including all attempts and the waits between them. */
  deadlineMs: number
}

/** @deprecated Use `retry` with `attempts`, `timeoutMs` and `deadlineMs`. The next minor version removes this name. */
export type Patience = { tries: number; timeoutMs: number; withinMs: number }

/** The options about repeated calls that `tidings()` and `inbox()` share. */
export type Retrying = {
  /**
   * Changes how calls are repeated. The defaults are 5 attempts, 20 seconds each, 60 seconds for the whole call. No limit
   * can be less than 1.
   */
  retry?: Partial<RetryOptions>
  /** @deprecated Use `retry` with `attempts`, `timeoutMs` and `deadlineMs`. The next minor version removes this name. */
  patience?: Partial<Patience>
}

/**
 * Returns the given limits with the defaults for the others. A limit under both names has the value of `retry`. Throws if
 * a limit is not a number of at least 1. `caller` is the function that the message names.
 */
export function readRetryOptions(caller: string, { retry = {}, patience = {} }: Retrying): RetryOptions {
  const limit = (name: keyof RetryOptions, oldName: keyof Patience, usual: number): number => {
    const isOld = retry[name] === undefined && patience[oldName] !== undefined
    const value = isOld ? patience[oldName] : (retry[name] ?? usual)
    return readLimit(`${caller}: ${isOld ? `patience.${oldName}` : `retry.${name}`}`, value)
  }
  return {
    attempts: limit('attempts', 'tries', 5),
    timeoutMs: limit('timeoutMs', 'timeoutMs', 20_000),
    deadlineMs: limit('deadlineMs', 'withinMs', 60_000),
  }
}

/** Whether nothing was done: the request took too long to arrive (408), or the service is busy. */
export function wasNotDone({ status, code }: TidingsError): boolean {
  return [408, 429, 503].includes(status) && code !== 'outcome_unknown'
}

/** Whether another attempt may succeed. After 0, which means that no answer came, the service may have done the work. */
function isTemporary({ status }: TidingsError): boolean {
  return [0, 408, 429, 502, 503, 504].includes(status)
}

/**
 * Repeats `attempt` after the errors that `isRepeated` accepts, until it succeeds or a limit is reached. Pass `wasNotDone` if
 * `attempt` would do harm when the service carries it out twice.
 */
export async function withRetries<T>(
  { attempts, timeoutMs, deadlineMs }: RetryOptions,
  attempt: (timeoutMs: number) => Promise<T>,
  signal?: AbortSignal,
  isRepeated: (error: TidingsError) => boolean = isTemporary,
): Promise<T> {
  const deadline = Date.now() + deadlineMs
  for (let made = 1; ; made++) {
    try {
      return await attempt(Math.max(1, Math.min(timeoutMs, deadline - Date.now())))
    } catch (error) {
      const waitMs = waitAfter(error, made, isRepeated)
      if (waitMs === null || made >= attempts || Date.now() + waitMs >= deadline) throw error
      await wait(waitMs, signal)
    }
  }
}

/** Returns the wait before the next attempt, or null if another attempt would fail the same way. */
function waitAfter(error: unknown, made: number, isRepeated: (error: TidingsError) => boolean): number | null {
  if (!(error instanceof TidingsError) || error.code === 'redirected') return null
  // `request_in_flight`: the first attempt with this idempotency key still runs, and the next one gets its answer.
  if (!isRepeated(error) && error.code !== 'request_in_flight') return null
  // The random part spreads clients that failed at the same moment. It only adds to the wait the service asked for.
  if (error.retryAfterMs !== undefined) return error.retryAfterMs + Math.random() * 500
  return (0.5 + Math.random() / 2) * Math.min(10_000, 250 * 2 ** made)
}

const finalStatuses = [400, 401, 403, 422]

/** Whether the same request would get the same answer. */
export function isFinal(error: unknown): boolean {
  return error instanceof TidingsError && (finalStatuses.includes(error.status) || error.code === 'redirected')
}

export const longestBackOffMs = 30_000

/** Returns a wait that grows with the number of earlier failures, or a longer one that the service asked for. */
export function backOffMs(error: unknown, failures: number): number {
  const own = 1_000 + Math.random() * Math.min(longestBackOffMs - 1_000, 1_000 * 2 ** failures)
  return Math.min(longestTimerMs, Math.max(requestedWaitMs(error), own))
}

/** Returns the wait that the service asked for, or 0. */
export function requestedWaitMs(error: unknown): number {
  return error instanceof TidingsError ? (error.retryAfterMs ?? 0) : 0
}

/** Returns the milliseconds that a `Retry-After` header asks to wait. The header holds seconds or a date. */
export function readRetryAfter(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined
  const seconds = Number(text)
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1_000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
