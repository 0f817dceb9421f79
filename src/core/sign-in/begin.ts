import { randomBytes } from 'node:crypto'
import * as oidc from 'openid-client'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { newSessionToken } from '../../lib/session-token.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { listConnectionsOfDomain, listSignInConnections } from '../../store/people/sign-in-connections.ts'
import { insertFlow } from '../../store/people/sign-in-flows.ts'
import { domainOf } from './claims.ts'
import { redirectUriAt } from './connection-json.ts'
import { discoverIssuer } from './issuer.ts'

export const flowSeconds = 600
const mostOffered = 5

export type Offered = { organizationId: string; connectionId: string; name: string; host: string }

/** By the domain alone: nothing here depends on who has the address. Of any organization, or of one. */
export async function offerConnections(ctx: Ctx, email: string, organizationId?: string): Promise<Offered[]> {
  const domain = domainOf(email.trim().toLowerCase())
  if (domain === null) return []
  const found = await listConnectionsOfDomain(ctx.database.db, { domain, organizationId, most: mostOffered })
  return found.map((it) => {
    return { organizationId: it.organizationId, connectionId: it.id, name: it.name, host: new URL(it.issuer).host }
  })
}

type Asked = { organizationId: string; connectionId: string; next?: string | undefined; email?: string | undefined }

/** Where the browser goes, and what it keeps to show that it is the same one when it comes back. */
export async function beginSignIn(
  ctx: Ctx,
  { organizationId, connectionId, next, email }: Asked,
  here: string | null,
): Promise<{ url: string; cookie: string }> {
  const { db } = ctx.database
  const isPlace = isUuid7(organizationId) && isUuid7(connectionId)
  const [connection] = isPlace ? await listSignInConnections(db, organizationId, connectionId) : []
  if (!connection?.active) throw new ApiError('sign_in_connection_not_found')
  if (here === null) throw new ApiError('issuer_failed', { message: withoutAddress })
  const config = await discoverIssuer(ctx, connection)
  const now = ctx.clock()
  const { id, text: state } = newSessionToken(organizationId, now)
  const [cookie, verifier, nonce] = [
    randomBytes(32).toString('base64url'),
    oidc.randomPKCECodeVerifier(),
    oidc.randomNonce(),
  ]
  await insertFlow(db, {
    ...{ organizationId, id, connectionId, nonce },
    stateHash: sha256(state),
    cookieHash: sha256(cookie),
    verifier: ctx.sealer.seal(secretPlaces.signInVerifier({ organizationId, id }), verifier),
    next: safeNext(next),
    expiresAt: new Date(now.getTime() + flowSeconds * 1000),
  })
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUriAt(here),
    scope: ['openid', ...connection.scopes].join(' '),
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...{ state, nonce },
    ...(email !== undefined && { login_hint: email }),
  })
  return { url: url.href, cookie }
}

export const withoutAddress = 'PUBLIC_URL is not set: the issuer must be told where to send you back.'

/** A path of ours; null for anything that a browser might read as an address elsewhere. */
export function safeNext(next: string | undefined): string | null {
  if (next === undefined || next.length > 1_000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\'))
    return null
  const ours = 'https://tidings.invalid'
  const url = URL.parse(next, ours)
  return url?.origin === ours && !url.pathname.startsWith('//') ? next : null
}
