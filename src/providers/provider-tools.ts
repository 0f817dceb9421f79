import type { Http, Smtp } from '../lib/outbound.ts'
import type { Outcome } from './outcome.ts'

/** Tokens fetched with an integration's credentials, kept until shortly before they expire. */
export type TokenCache = (
  name: string,
  fetch: () => Promise<{ token: string; expiresInMs: number } | { fault: Outcome }>,
  /** A token that turned out to be good no more: if it is still the kept one, another is fetched. */
  not?: string,
) => Promise<{ token: string } | { fault: Outcome }>

/** What every call of a provider gets. */
export type ProviderTools = {
  http: Http
  smtp: Smtp
  /** Per integration and credentials: the same name with other credentials is another token. */
  cached: TokenCache
  now: Date
}
