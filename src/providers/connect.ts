import type { Endpoint } from './endpoint.ts'
import type { Outcome } from './outcome.ts'
import type { ProviderTools } from './provider-tools.ts'

/** What a workspace gave us by installing our app there. `expiresAt` is missing for tokens that do not expire. */
export type Auth = { accessToken: string; refreshToken?: string; expiresAt?: Date }

/** `name`: for people. `botUserId`: who we are there. */
export type Workspace = { id: string; name?: string; botUserId?: string }

/** What `send` gets of the workspace that an endpoint belongs to; the token is fresh. */
export type Connection = { workspace: Workspace; accessToken?: string }

/** `connect`: an administrator installs the app in a workspace. `link`: a person says who he is there. */
export type ConnectMode = 'connect' | 'link'

/** What the vendor told after somebody agreed. */
export type Grant = {
  /** Always with `connect`. */
  workspace?: Workspace
  /** Missing: the app's own credentials are enough to send there. */
  auth?: Auth
  /** Who agreed. */
  person?: Endpoint
  /** The redirect does not prove that he is of this workspace: he has to sign in there, which `link` does. */
  needsSignIn?: true
  /** Some vendors let the person choose a channel, and give a webhook for it. */
  webhook?: Endpoint
}

type Authorization<C> = {
  credentials: C
  mode: ConnectMode
  /** Ours; the same text when the code is redeemed. */
  redirectUri: string
  /** Random, for vendors that put it into what they sign. */
  nonce: string
}

/** How a vendor's app is installed by OAuth, and its tokens kept fresh. */
export type OAuth<C> = {
  /** Where the browser is sent. `scope`: instead of the usual ones. */
  authorizeUrl(args: Authorization<C> & { state: string; scope?: readonly string[] }): string | { fault: string }
  /** What the vendor's redirect to us is worth. `query`: of that redirect, without our state. */
  redeem(args: ProviderTools & Authorization<C> & { query: URLSearchParams }): Promise<Grant | { fault: string }>
  /** The workspace of the integration's own token; null: it has none. Without this nobody can tell. */
  home?(args: ProviderTools & { credentials: C }): Promise<string | null | undefined>
  /** Another access token. A refresh token may be good once: what this returns is stored before it is used. */
  refresh?(args: ProviderTools & { credentials: C; refreshToken: string }): Promise<Auth | { fault: Outcome }>
}

/** How a person becomes known to a bot by opening a link; the bot tells us by a callback (`Inbound.people`). */
export type Linking<C> = {
  /** The address to open. `code` comes back with the callback. */
  url(args: ProviderTools & { credentials: C; code: string }): Promise<{ url: string } | { fault: string }>
  /** Tells the vendor where to call, and how to prove that it is the vendor. */
  listen(
    args: ProviderTools & { credentials: C; callbackUrl: string; signingKey: string },
  ): Promise<{ name: string } | { fault: string }>
}
