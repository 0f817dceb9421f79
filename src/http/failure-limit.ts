import { ApiError } from '../errors.ts'

// A person mistypes a few times; whoever fails this often in a minute is guessing.
const mostFailures = 20
const windowMs = 60_000
const rememberMost = 10_000

export type FailureLimit = {
  /** Throws once this caller has failed too often. */
  check(caller: string): void
  failed(caller: string): void
}

/** Of this node alone: it slows guessing down; the length of a key is what makes guessing hopeless. */
export function failureLimit(now: () => number = () => performance.now()): FailureLimit {
  const failures = new Map<string, { count: number; until: number }>()
  const current = (caller: string) => {
    const known = failures.get(caller)
    return known && known.until > now() ? known : null
  }

  return {
    check(caller) {
      const known = current(caller)
      if (!known || known.count < mostFailures) return
      throw new ApiError('too_many_requests', { retryAfterSeconds: Math.ceil((known.until - now()) / 1000) })
    },
    failed(caller) {
      const known = current(caller)
      if (known) known.count++
      else {
        if (failures.size >= rememberMost) failures.clear()
        failures.set(caller, { count: 1, until: now() + windowMs })
      }
    },
  }
}
