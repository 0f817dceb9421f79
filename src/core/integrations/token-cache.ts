import { LRUCache } from 'lru-cache'
import type { Outcome } from '../../providers/outcome.ts'
import type { TokenCache } from '../../providers/provider-tools.ts'

type Fetch = Parameters<TokenCache>[1]

// A token about to expire could expire on its way to the vendor.
const marginMs = 60_000

export type Tokens = {
  /** The tokens of one integration with its current credentials. */
  of(owner: string): TokenCache
  /** The vendor revoked a token early: the next call fetches a new one. */
  forget(owner: string): void
}

/** Access tokens by integration and credentials. Callers that ask at the same time share one fetch. */
export function createTokenCache(clock: () => Date): Tokens {
  const kept = new LRUCache<string, string>({
    max: 10_000,
    perf: { now: () => clock().getTime() },
    ttlResolution: 0,
  })
  const fetching = new Map<string, Promise<{ token: string } | { fault: Outcome }>>()

  const fetchOnce = async (key: string, renew: Fetch) => {
    const fetched = await renew()
    if ('fault' in fetched) return fetched
    const ttl = fetched.expiresInMs - marginMs
    if (ttl > 0) kept.set(key, fetched.token, { ttl }) // 0 would keep it for ever
    return { token: fetched.token }
  }
  const of = (owner: string): TokenCache => {
    return (name, renew, not) => {
      const key = `${owner} ${name}`
      const token = kept.get(key)
      if (token !== undefined && token !== not) return Promise.resolve({ token })
      const running = fetching.get(key)
      if (running) return running
      const started = fetchOnce(key, renew).finally(() => fetching.delete(key))
      fetching.set(key, started)
      return started
    }
  }
  const forget = (owner: string) => {
    for (const key of [...kept.keys()]) if (key.startsWith(`${owner} `)) kept.delete(key)
  }
  return { of, forget }
}
