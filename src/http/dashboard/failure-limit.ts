import { LRUCache } from 'lru-cache'
import { networkOf } from '../../egress/network-of.ts'
import { ApiError } from '../../errors.ts'

// A person mistypes a few times; this many failures in a minute are guesses.
const mostFailures = 20
const windowMs = 60_000

export type FailureLimit = {
  /** Throws once this caller has failed too often. */
  check(caller: string): void
  failed(caller: string): void
  /** It was counted before it was judged, and was none. */
  succeeded(caller: string): void
}

/** Counts on this node alone, by the address of a caller. It slows guessing down; the length of a key makes guessing hopeless. */
export function createFailureLimit(now: () => number = () => performance.now(), most = mostFailures): FailureLimit {
  // Past the bound the caller seen least recently is forgotten, so that guessing on does not reset one's own count.
  const failures = new LRUCache<string, { count: number }>({
    max: 10_000,
    ttl: windowMs,
    perf: { now },
    ttlResolution: 0,
  })

  return {
    check(caller) {
      const known = failures.get(networkOf(caller))
      if (!known || known.count < most) return
      const leftMs = failures.getRemainingTTL(networkOf(caller))
      throw new ApiError('too_many_requests', { retryAfterSeconds: Math.ceil(leftMs / 1000) })
    },
    failed(caller) {
      const known = failures.get(networkOf(caller))
      if (known) known.count++
      else failures.set(networkOf(caller), { count: 1 })
    },
    succeeded(caller) {
      const known = failures.get(networkOf(caller))
      if (known && known.count > 0) known.count--
    },
  }
}
