import { LRUCache } from 'lru-cache'
import { ApiError } from '../../errors.ts'

/** Limits the requests per second of each key on this node. Off unless the operator sets a limit. */
export type RateLimit = {
  /** Returns headers for the reply; throws when the limit is used up. */
  take(keyId: string): Record<string, string>
}

type Bucket = { left: number; at: number }

export function createRateLimit(perSecond: number, now: () => number = () => performance.now()): RateLimit {
  // Past the bound the key used least recently is forgotten; its budget is full again anyway.
  const buckets = new LRUCache<string, Bucket>({ max: 10_000 })
  return {
    take(keyId) {
      const at = now()
      const before = buckets.get(keyId) ?? { left: perSecond, at }
      const left = Math.min(perSecond, before.left + ((at - before.at) / 1000) * perSecond)
      buckets.set(keyId, { left: left >= 1 ? left - 1 : left, at })
      if (left < 1) throw new ApiError('too_many_requests', { retryAfterSeconds: 1, headers: toHeaders(0) })
      return toHeaders(Math.floor(left - 1))
    },
  }

  /** In the format of the IETF draft of RateLimit headers. */
  function toHeaders(remaining: number): Record<string, string> {
    return { 'ratelimit-policy': `"key";q=${perSecond};w=1`, ratelimit: `"key";r=${remaining};t=1` }
  }
}
