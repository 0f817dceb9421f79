import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { readSessionToken } from '../../lib/session-token.ts'
import type { Grant, Workspace } from '../../providers/connect.ts'
import { takeConnectAttempt } from '../../store/channels/connect-attempts.ts'
import { findConnection, findOnlyConnection } from '../../store/channels/connections.ts'
import { envOf } from '../../store/database.ts'
import { findIntegration, type IntegrationRow, lockIntegrations } from '../../store/integrations.ts'
import { findSubscriber, lockSubscriber } from '../../store/subscribers.ts'
import { cleanId } from '../delivery/clean-outcome.ts'
import { redact } from '../delivery/redact.ts'
import { movedFields } from '../integrations/integration-credentials.ts'
import { callTools, deadlineIn, openCredentials, secretsOf } from '../integrations/provider-call.ts'
import { refuseForeign, rememberAttempt, type Wanted } from './connect.ts'
import { readEndpoint } from './endpoint-input.ts'
import { saveConnection, toStorableAuth } from './save-connection.ts'
import { linkEndpoint, type Scope } from './save-endpoint.ts'

/** `redirectUrl`: where the tenant wants people to go next. `next`: the vendor has to be asked once more. */
export type Connected = { ok: boolean; text: string; redirectUrl: string | null } | { next: string }

// What the vendor may take; the person waits in front of a blank page.
const redeemMs = 15_000

function nobodySent(): ApiError {
  const message = 'This link was used already, or it is too old; start again where you came from.'
  return new ApiError('link_not_found', { message })
}

/** The person is back. What cannot be done is told in words; the attempt is over either way. */
export async function finishConnect(ctx: Ctx, url: string, now: Date): Promise<Connected> {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams()
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
  if ('fault' in grant) {
    const secrets = [...secretsOf(credentials), ...query.values()]
    return { ok: false, text: redact(grant.fault, secrets), redirectUrl }
  }
  // Asked for only where no connection is named.
  const asksHome = mode === 'link' && !wanted.agreed && wanted.connectionIdentifier === null
  const home = asksHome ? await provider.oauth.home?.({ ...tools, credentials }) : undefined
  try {
    const next = await ctx.database.write(env, (db) =>
      saveGrant({ ctx, db, env, now: ctx.clock() }, integration, wanted, { ...toStorable(grant), home }),
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
  grant: Told,
): Promise<string | null> {
  await refuseMoved(scope, integration)
  // First the person, then the connection: as everybody else who needs both.
  if (wanted.subscriberId !== null) await lockSubscriber(scope.db, scope.env, wanted.subscriberId)
  if (grant.needsSignIn && grant.workspace) {
    return rememberAttempt(scope, integration, { ...wanted, mode: 'link', agreed: grant.workspace })
  }
  await refuseForeign(scope.db, scope.env, integration, wanted)
  const connectionId = await connectionOf(scope, integration, wanted, grant)
  const { subscriberId, contextKeys } = wanted
  if (subscriberId === null) return null
  const person = wanted.linksPerson ? grant.person : undefined
  const { ctx } = scope
  const provider = ctx.providers.find(integration.provider_id)
  for (const { type, endpoint } of [person, grant.webhook].flatMap((it) => it ?? [])) {
    const read = readEndpoint(ctx, provider, type, endpoint)
    await linkEndpoint(scope, { integration, subscriberId, contextKeys, endpoint: read }, connectionId)
  }
  return null
}

/** The tokens are of the server that gave them. Nobody changes the integration until this is stored. */
async function refuseMoved({ ctx, db, env }: Scope, before: IntegrationRow): Promise<void> {
  await lockIntegrations(db, env)
  const [now, provider] = [await findIntegration(db, env, before.id), ctx.providers.find(before.provider_id)]
  const open = (row: IntegrationRow) => (provider ? openCredentials(ctx, row, provider) : {})
  if (now && provider && movedFields(provider, open(before), open(now)).length === 0) return
  throw new ApiError('connect_refused', { message: 'The integration was changed meanwhile; start again.' })
}

/** `home`: the workspace of the integration's own token. */
type Told = Grant & { home: string | null | undefined }

/** A vendor may answer anything. */
function toStorable(grant: Grant): Grant {
  const { workspace, auth } = grant
  const clean = (text: string) => cleanId(text).trim()
  return {
    ...grant,
    ...(workspace && {
      workspace: {
        id: clean(workspace.id),
        ...(workspace.name && { name: clean(workspace.name) }),
        ...(workspace.botUserId && { botUserId: clean(workspace.botUserId) }),
      },
    }),
    ...(auth && { auth: toStorableAuth(auth) }),
  }
}

/** The workspace that was agreed to, or the one that somebody is linked to. */
async function connectionOf(
  scope: Scope,
  integration: IntegrationRow,
  { mode, agreed, connectionIdentifier, subscriberId, isShared, contextKeys }: Wanted,
  grant: Told,
): Promise<string | null> {
  if (mode === 'connect' || agreed) {
    const workspace = agreed ?? grant.workspace
    if (!workspace?.id) throw new ApiError('connect_refused')
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
    // Without a connection the integration's own token reaches people of its own workspace.
    if (!only && grant.home !== undefined && grant.home !== grant.workspace.id) throw notConnected(grant.workspace)
    return only?.id ?? null
  }
  const known = await findConnection(scope.db, scope.env, connectionIdentifier)
  if (!known) throw new ApiError('connection_not_found')
  refuseOutsider(known.workspace, grant)
  return known.id
}

function notConnected({ id, name = id }: Workspace): ApiError {
  return new ApiError('connect_refused', { message: `${name} is not connected here; connect it first.` })
}

function refuseOutsider({ id, name = id }: Workspace, grant: Grant): void {
  if (grant.workspace?.id === id) return
  throw new ApiError('connect_refused', { message: `You are not in ${name}; sign in there and try again.` })
}
