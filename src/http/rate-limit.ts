import { ApiError } from '../errors.ts'

/** Requests per second and key on this node, with a second's worth to spare. Off unless the operator sets a limit. */
export type RateLimit = {
  /** The headers of the reply; throws when there is nothing left. */
  take(keyId: string): Record<string, string>
}

type Bucket = { left: number; at: number }

const rememberMost = 10_000

export function createRateLimit(perSecond: number, now: () => number = () => performance.now()): RateLimit {
  const buckets = new Map<string, Bucket>()
  return {
    take(keyId) {
      const at = now()
      const before = buckets.get(keyId) ?? { left: perSecond, at }
      const left = Math.min(perSecond, before.left + ((at - before.at) / 1000) * perSecond)
      if (!buckets.has(keyId) && buckets.size >= rememberMost) buckets.clear()
      buckets.set(keyId, { left: left >= 1 ? left - 1 : left, at })
      if (left < 1) throw new ApiError('too_many_requests', { retryAfterSeconds: 1, headers: toHeaders(0) })
      return toHeaders(Math.floor(left - 1))
    },
  }

  /** As the IETF's draft of RateLimit headers writes them. */
  function toHeaders(remaining: number): Record<string, string> {
    return { 'ratelimit-policy': `"key";q=${perSecond};w=1`, ratelimit: `"key";r=${remaining};t=1` }
  }
}
