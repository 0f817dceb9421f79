import { randomBytes } from 'node:crypto'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { newSessionToken } from '../../lib/session-token.ts'
import type { ConnectMode, Workspace } from '../../providers/connect.ts'
import { insertConnectAttempt } from '../../store/channels/connect-attempts.ts'
import { findConnection } from '../../store/channels/connections.ts'
import type { Db, Env } from '../../store/database.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { lockSubscriber } from '../../store/subscribers.ts'
import { openCredentials } from '../integrations/provider-call.ts'
import { isOwn, isVisible, type Viewer } from './own-channels.ts'
import type { Scope } from './save-endpoint.ts'

/** What is made when the vendor sends the person back. */
export type Wanted = {
  mode: ConnectMode
  connectionIdentifier: string | null
  /** The caller's own identifier. With `connect`: whose connection it is, and who is linked. */
  subscriberId: string | null
  isShared: boolean
  contextKeys: readonly string[]
  linksPerson: boolean
  nonce: string
  redirectUri: string
  /** A browser asked: only what this person has is connected anew, and only what they see is linked to. */
  viewer?: Viewer
  /** Of a second step, where the person signs in: the workspace that was agreed to before. */
  agreed?: Workspace
}

export type ConnectInput = {
  integration: IntegrationRow
  mode: ConnectMode
  connectionIdentifier?: string | undefined
  subscriberId?: string | undefined
  isShared: boolean
  contextKeys: readonly string[]
  scope?: readonly string[] | undefined
  linksPerson: boolean
  viewer?: Viewer
}

// People read what they agree to, and look for the password of an administrator.
export const attemptMs = 30 * 60_000

/** The vendor's address where somebody agrees. Whoever comes back with its state is believed once, for half an hour. */
export async function startConnect(scope: Scope, given: ConnectInput): Promise<{ url: string }> {
  const { ctx, db, env } = scope
  const { integration, mode, subscriberId = null, connectionIdentifier = null } = given
  const { publicUrl } = ctx.config
  if (publicUrl === undefined) throw new ApiError('public_url_needed')
  const redirectUri = callbackAddress(publicUrl)
  const { isShared, contextKeys, linksPerson, viewer } = given
  const asked = { mode, connectionIdentifier, subscriberId, isShared, contextKeys, linksPerson, redirectUri }
  const wanted = { ...asked, ...(viewer && { viewer }) }
  await refuseForeign(db, env, integration, wanted)
  return { url: await rememberAttempt(scope, integration, wanted, given.scope) }
}

/** Remembers the attempt; where to send the person. */
export async function rememberAttempt(
  { ctx, db, env, now }: Scope,
  integration: IntegrationRow,
  asked: Omit<Wanted, 'nonce'>,
  permissions: readonly string[] = [],
): Promise<string> {
  const provider = ctx.providers.find(integration.provider_id)
  if (!provider?.oauth) throw new ApiError('connect_unsupported')
  const { id, text: state } = newSessionToken(env.environmentId, now)
  const nonce = randomBytes(16).toString('base64url')
  const credentials = openCredentials(ctx, integration, provider)
  const { mode, redirectUri } = asked
  const url = provider.oauth.authorizeUrl({
    credentials,
    mode,
    redirectUri,
    nonce,
    state,
    ...(permissions.length > 0 && { scope: permissions }),
  })
  if (typeof url !== 'string') throw new ApiError('connect_refused', { message: url.fault })
  const wanted: Wanted = { ...asked, nonce }
  const expiresAt = new Date(now.getTime() + attemptMs)
  const { subscriberId } = asked
  const subscriber = subscriberId === null ? null : await lockSubscriber(db, env, subscriberId)
  if (subscriberId !== null && !subscriber) throw new ApiError('subscriber_not_found')
  const own = { id, integrationId: integration.id, subscriberId: subscriber?.id ?? null }
  const attempt = { ...own, wanted, secretHash: sha256(state), expiresAt }
  await insertConnectAttempt(db, env, attempt, now)
  return url
}

/**
 * A person is linked to a connection that exists; a workspace must not take one of another integration. Asked when
 * somebody is sent to the vendor and when they are back: meanwhile somebody else may have made a connection of this name.
 */
export async function refuseForeign(
  db: Db,
  env: Env,
  integration: IntegrationRow,
  { mode, agreed, connectionIdentifier, viewer }: Omit<Wanted, 'nonce'>,
): Promise<void> {
  if (connectionIdentifier === null) return
  const isLink = mode === 'link' && !agreed
  const known = await findConnection(db, env, connectionIdentifier)
  if (!known && isLink) throw new ApiError('connection_not_found')
  if (known && viewer && !(isLink ? isVisible(known, viewer) : isOwn(known, viewer))) {
    throw new ApiError('connection_not_found')
  }
  if (known && known.integrationId !== integration.id) throw new ApiError('connection_exists')
}

/** Where vendors send people back: the tenant registers it with its app. */
export function callbackAddress(publicUrl: string): string {
  return `${publicUrl}/v1/integrations/chat/oauth/callback`
}
