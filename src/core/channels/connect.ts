import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { newSessionToken, readSessionToken } from '../../lib/session-token.ts'
import type { ConnectMode, Grant, Workspace } from '../../providers/connect.ts'
import { insertConnectAttempt, takeConnectAttempt } from '../../store/channels/connect-attempts.ts'
import { findConnection, findOnlyConnection } from '../../store/channels/connections.ts'
import { type Db, type Env, envOf } from '../../store/database.ts'
import { findIntegration, type IntegrationRow } from '../../store/integrations.ts'
import { findSubscriber } from '../../store/subscribers.ts'
import { callTools, deadlineIn, openCredentials } from '../integrations/provider-call.ts'
import { isOwn, isVisible, type Viewer } from './own-channels.ts'
import { saveConnection } from './save-connection.ts'
import { linkEndpoint, type Scope } from './save-endpoint.ts'

/** What is made when the vendor sends the person back. */
type Wanted = {
  mode: ConnectMode
  connectionIdentifier: string | null
  /** The caller's own identifier. With `connect`: whose connection it is, and who is linked. */
  subscriberId: string | null
  isShared: boolean
  contextKeys: readonly string[]
  linksPerson: boolean
  nonce: string
  redirectUri: string
  /** A browser asked: only what this person has is connected anew, and only what he sees is linked to. */
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
  if (subscriberId !== null && !(await findSubscriber(db, env, subscriberId)))
    throw new ApiError('subscriber_not_found')
  const { isShared, contextKeys, linksPerson, viewer } = given
  const asked = { mode, connectionIdentifier, subscriberId, isShared, contextKeys, linksPerson, redirectUri }
  const wanted = { ...asked, ...(viewer && { viewer }) }
  await refuseForeign(db, env, integration, wanted)
  return { url: await rememberAttempt(scope, integration, wanted, given.scope) }
}

/** Remembers the attempt; where to send the person. */
async function rememberAttempt(
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
  const attempt = { id, integrationId: integration.id, wanted, secretHash: sha256(state), expiresAt }
  await insertConnectAttempt(db, env, attempt, now)
  return url
}

/**
 * A person is linked to a connection that exists; a workspace must not take one of another integration. Asked when
 * somebody is sent to the vendor and when he is back: meanwhile somebody else may have made a connection of this name.
 */
async function refuseForeign(
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

/** `redirectUrl`: where the tenant wants people to go next. `next`: the vendor has to be asked once more. */
export type Connected = { ok: boolean; text: string; redirectUrl: string | null } | { next: string }

// What the vendor may take; the person waits in front of a blank page.
const redeemMs = 15_000

function nobodySent(): ApiError {
  const message = 'This link was used already, or it is too old; start again where you came from.'
  return new ApiError('link_not_found', { message })
}

/** The person is back. What cannot be done is told to him in words; the attempt is over either way. */
export async function finishConnect(ctx: Ctx, url: string, now: Date): Promise<Connected> {
  const query = new URL(url).searchParams
  const state = query.get('state') ?? ''
  query.delete('state')
  const token = readSessionToken(state)
  if (!token) throw nobodySent()
  const env = envOf(token.environmentId)
  const found = await ctx.database.write(env, async (db) => {
    const attempt = await takeConnectAttempt(db, env, { id: token.id, secretHash: sha256(state), now })
    const integration = attempt && (await findIntegration(db, env, attempt.integrationId))
    // Written by startConnect.
    return attempt && integration ? { integration, wanted: attempt.wanted as Wanted } : null
  })
  if (!found) throw nobodySent()
  const { integration, wanted } = found
  const provider = ctx.providers.find(integration.provider_id)
  if (!provider?.oauth) throw new ApiError('connect_unsupported')
  const credentials = openCredentials(ctx, integration, provider)
  const redirectUrl = URL.parse(String(credentials.redirectUrl ?? ''))?.href ?? null
  const tools = callTools(ctx, env, integration, deadlineIn(redeemMs))
  const { mode, redirectUri, nonce } = wanted
  const grant = await provider.oauth.redeem({ ...tools, credentials, mode, redirectUri, nonce, query })
  if ('fault' in grant) return { ok: false, text: grant.fault, redirectUrl }
  try {
    const next = await ctx.database.write(env, (db) =>
      saveGrant({ ctx, db, env, now: ctx.clock() }, integration, wanted, grant),
    )
    if (next !== null) return { next }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, text: error.message, redirectUrl }
    throw error
  }
  const name = grant.workspace?.name ?? provider.displayName
  const isConnected = mode === 'connect' || wanted.agreed !== undefined
  return { ok: true, text: isConnected ? `${name} is connected.` : `You are linked to ${name}.`, redirectUrl }
}

/**
 * One transaction: a workspace that is connected and whose person is not linked would look done. Returns where the person
 * has to go first, or null.
 */
async function saveGrant(
  scope: Scope,
  integration: IntegrationRow,
  wanted: Wanted,
  grant: Grant,
): Promise<string | null> {
  if (grant.needsSignIn && grant.workspace) {
    return rememberAttempt(scope, integration, { ...wanted, mode: 'link', agreed: grant.workspace })
  }
  await refuseForeign(scope.db, scope.env, integration, wanted)
  const connectionId = await connectionOf(scope, integration, wanted, grant)
  const { subscriberId, contextKeys } = wanted
  if (subscriberId === null) return null
  const person = wanted.linksPerson ? grant.person : undefined
  for (const endpoint of [person, grant.webhook].flatMap((it) => it ?? [])) {
    // A webhook needs no token.
    const through = endpoint.type === 'webhook' ? null : connectionId
    await linkEndpoint(scope, { integration, subscriberId, contextKeys, endpoint }, through)
  }
  return null
}

/** The workspace that was agreed to, or the one that somebody is linked to. */
async function connectionOf(
  scope: Scope,
  integration: IntegrationRow,
  { mode, agreed, connectionIdentifier, subscriberId, isShared, contextKeys }: Wanted,
  grant: Grant,
): Promise<string | null> {
  if (mode === 'connect' || agreed) {
    const workspace = agreed ?? grant.workspace
    if (!workspace) throw new ApiError('connect_refused')
    refuseOutsider(workspace, grant)
    const saved = await saveConnection(scope, {
      identifier: connectionIdentifier ?? undefined,
      integration,
      subscriberId: isShared ? null : subscriberId,
      contextKeys,
      workspace,
      auth: grant.auth ?? null,
    })
    return saved.id
  }
  if (connectionIdentifier === null) {
    const subscriber = subscriberId === null ? null : await findSubscriber(scope.db, scope.env, subscriberId)
    if (!subscriber || !grant.workspace) return null
    const fitting = { integrationId: integration.id, subscriberId: subscriber.id, contextKeys }
    const only = await findOnlyConnection(scope.db, scope.env, { ...fitting, workspaceId: grant.workspace.id })
    return only?.id ?? null
  }
  const known = await findConnection(scope.db, scope.env, connectionIdentifier)
  if (!known) throw new ApiError('connection_not_found')
  refuseOutsider(known.workspace, grant)
  return known.id
}

function refuseOutsider({ id, name = id }: Workspace, grant: Grant): void {
  if (grant.workspace?.id === id) return
  throw new ApiError('connect_refused', { message: `You are not in ${name}; sign in there and try again.` })
}
