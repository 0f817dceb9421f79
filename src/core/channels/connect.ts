import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { newSessionToken, readSessionToken } from '../../lib/session-token.ts'
import type { ConnectMode, Grant } from '../../providers/connect.ts'
import { insertConnectAttempt, takeConnectAttempt } from '../../store/channels/connect-attempts.ts'
import { findConnection } from '../../store/channels/connections.ts'
import { type Db, type Env, envOf } from '../../store/database.ts'
import { findIntegration, type IntegrationRow } from '../../store/integrations.ts'
import { findSubscriber } from '../../store/subscribers.ts'
import { callTools, deadlineIn, openCredentials } from '../integrations/provider-call.ts'
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
}

// People read what they agree to, and look for the password of an administrator.
const attemptMs = 30 * 60_000

/** The vendor's address where somebody agrees. Whoever comes back with its state is believed once, for half an hour. */
export async function startConnect({ ctx, db, env, now }: Scope, given: ConnectInput): Promise<{ url: string }> {
  const { integration, mode, subscriberId = null, connectionIdentifier = null } = given
  const provider = ctx.providers.find(integration.provider_id)
  if (!provider?.oauth) throw new ApiError('connect_unsupported')
  const { publicUrl } = ctx.config
  if (publicUrl === undefined) throw new ApiError('public_url_needed')
  const redirectUri = callbackAddress(publicUrl)
  if (subscriberId !== null && !(await findSubscriber(db, env, subscriberId)))
    throw new ApiError('subscriber_not_found')
  await refuseForeign(db, env, integration, connectionIdentifier, mode)
  const { id, text: state } = newSessionToken(env.environmentId, now)
  const nonce = randomBytes(16).toString('base64url')
  const credentials = openCredentials(ctx, integration, provider)
  const { scope } = given
  const asked = { credentials, mode, redirectUri, nonce, state, ...(scope && scope.length > 0 && { scope }) }
  const url = provider.oauth.authorizeUrl(asked)
  if (typeof url !== 'string') throw new ApiError('connect_refused', { message: url.fault })
  const { isShared, contextKeys, linksPerson } = given
  const wanted: Wanted = {
    mode,
    connectionIdentifier,
    subscriberId,
    isShared,
    contextKeys,
    linksPerson,
    nonce,
    redirectUri,
  }
  const expiresAt = new Date(now.getTime() + attemptMs)
  await insertConnectAttempt(
    db,
    env,
    { id, integrationId: integration.id, wanted, secretHash: sha256(state), expiresAt },
    now,
  )
  return { url }
}

/** A person is linked to a connection that exists; a workspace must not take one of another integration. */
async function refuseForeign(
  db: Db,
  env: Env,
  integration: IntegrationRow,
  identifier: string | null,
  mode: ConnectMode,
): Promise<void> {
  if (identifier === null) return
  const known = await findConnection(db, env, identifier)
  if (!known && mode === 'link') throw new ApiError('connection_not_found')
  if (known && known.integrationId !== integration.id) throw new ApiError('connection_exists')
}

/** Where vendors send people back: the tenant registers it with its app. */
export function callbackAddress(publicUrl: string): string {
  return `${publicUrl}/v1/integrations/chat/oauth/callback`
}

/** `unknown`: nobody was sent to a vendor from here. `redirectUrl`: where the tenant wants people to go next. */
export type Connected = { ok: boolean; unknown?: true; text: string; redirectUrl: string | null }

// What the vendor may take; the person waits in front of a blank page.
const redeemMs = 15_000

const nobodySent: Connected = {
  ok: false,
  unknown: true,
  text: 'This link was used already, or it is too old. Start again where you came from.',
  redirectUrl: null,
}

/** The person is back. What cannot be done is told to him in words; the attempt is over either way. */
export async function finishConnect(ctx: Ctx, url: string, now: Date): Promise<Connected> {
  const query = new URL(url).searchParams
  const state = query.get('state') ?? ''
  query.delete('state')
  const token = readSessionToken(state)
  if (!token) return nobodySent
  const env = envOf(token.environmentId)
  const found = await ctx.database.write(env, async (db) => {
    const attempt = await takeConnectAttempt(db, env, { id: token.id, secretHash: sha256(state), now })
    const integration = attempt && (await findIntegration(db, env, attempt.integrationId))
    // Written by startConnect.
    return attempt && integration ? { integration, wanted: attempt.wanted as Wanted } : null
  })
  if (!found) return nobodySent
  const { integration, wanted } = found
  const provider = ctx.providers.find(integration.provider_id)
  if (!provider?.oauth) throw new ApiError('connect_unsupported')
  const credentials = openCredentials(ctx, integration, provider)
  const redirectUrl = 'redirectUrl' in credentials ? String(credentials.redirectUrl) : null
  const tools = callTools(ctx, env, integration, deadlineIn(redeemMs))
  const { mode, redirectUri, nonce } = wanted
  const grant = await provider.oauth.redeem({ ...tools, credentials, mode, redirectUri, nonce, query })
  if ('fault' in grant) return { ok: false, text: grant.fault, redirectUrl }
  try {
    await ctx.database.write(env, (db) => keep({ ctx, db, env, now: ctx.clock() }, integration, wanted, grant))
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, text: error.message, redirectUrl }
    throw error
  }
  const name = grant.workspace?.name ?? provider.displayName
  return { ok: true, text: mode === 'connect' ? `${name} is connected.` : `You are linked to ${name}.`, redirectUrl }
}

/** One transaction: a workspace that is connected and whose person is not linked would look done. */
async function keep(scope: Scope, integration: IntegrationRow, wanted: Wanted, grant: Grant): Promise<void> {
  const { db, env } = scope
  const { mode, subscriberId, contextKeys, connectionIdentifier } = wanted
  let connectionId: string | null = null
  if (mode === 'connect') {
    if (!grant.workspace) throw new ApiError('connect_refused')
    const saved = await saveConnection(scope, {
      identifier: connectionIdentifier ?? undefined,
      integration,
      subscriberId: wanted.isShared ? null : subscriberId,
      contextKeys,
      workspace: grant.workspace,
      auth: grant.auth ?? null,
    })
    connectionId = saved.id
  } else if (connectionIdentifier !== null) {
    const known = await findConnection(db, env, connectionIdentifier)
    if (!known) throw new ApiError('connection_not_found')
    if (grant.workspace && grant.workspace.id !== known.workspace.id) {
      const named = known.workspace.name ?? known.workspace.id
      throw new ApiError('connect_refused', { message: `You are not in ${named}; sign in there and try again.` })
    }
    connectionId = known.id
  }
  if (subscriberId === null) return
  const person = wanted.linksPerson ? grant.person : undefined
  for (const endpoint of [person, grant.webhook].flatMap((it) => it ?? [])) {
    // A webhook needs no token.
    const through = endpoint.type === 'webhook' ? null : connectionId
    await linkEndpoint(scope, { integration, subscriberId, contextKeys, endpoint }, through)
  }
}
