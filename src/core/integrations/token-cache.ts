import type { Outcome } from '../../providers/outcome.ts'
import type { TokenCache } from '../../providers/provider.ts'

type Kept = { token: string; untilMs: number }
type Fetch = Parameters<TokenCache>[1]

// A token that is about to expire would do so on its way.
const marginMs = 60_000
const mostKept = 10_000

export type Tokens = {
  /** The tokens of one integration, and of what its credentials are now. */
  of(owner: string): TokenCache
  /** The vendor took one back before its time: whoever comes next fetches another. */
  forget(owner: string): void
}

/** Access tokens of vendors, by integration and what they were fetched with. Many that ask at once wait for one fetch. */
export function createTokenCache(clock: () => Date): Tokens {
  const kept = new Map<string, Map<string, Kept>>()
  const fetching = new Map<string, Promise<{ token: string } | { fault: Outcome }>>()

  const fetchOnce = async (owner: string, name: string, renew: Fetch) => {
    const fetched = await renew()
    if ('fault' in fetched) return fetched
    if (kept.size >= mostKept) kept.clear()
    const own = kept.get(owner) ?? new Map<string, Kept>()
    kept.set(owner, own)
    own.set(name, { token: fetched.token, untilMs: clock().getTime() + fetched.expiresInMs - marginMs })
    return { token: fetched.token }
  }
  const of = (owner: string): TokenCache => {
    return (name, renew) => {
      const known = kept.get(owner)?.get(name)
      if (known && known.untilMs > clock().getTime()) return Promise.resolve({ token: known.token })
      const key = `${owner} ${name}`
      const running = fetching.get(key)
      if (running) return running
      const started = fetchOnce(owner, name, renew).finally(() => fetching.delete(key))
      fetching.set(key, started)
      return started
    }
  }
  return { of, forget: (owner) => void kept.delete(owner) }
}
