import * as oidc from 'openid-client'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { readSessionToken } from '../../lib/session-token.ts'
import { inTransaction } from '../../store/database.ts'
import type { Origin } from '../../store/people/person-sessions.ts'
import { listSignInConnections, type SignInConnection } from '../../store/people/sign-in-connections.ts'
import { type SignInFlow, takeFlow } from '../../store/people/sign-in-flows.ts'
import { openSessionIn } from '../people/sign-in-person.ts'
import { admit } from './admit.ts'
import { withoutAddress } from './begin.ts'
import { readClaims, type Vouched } from './claims.ts'
import { redirectUriAt } from './connection-json.ts'
import { discoverIssuer, failed } from './issuer.ts'

/** What came back: the query of the address, and what the browser kept. */
type Returned = { query: string; cookie: string; origin: Origin; here: string | null }

/** The token of a new session, and where to go on. */
export async function finishSignIn(ctx: Ctx, returned: Returned): Promise<{ token: string; next: string | null }> {
  const { db } = ctx.database
  // What was begun is over now, whatever becomes of it: nobody tries a second code.
  const flow = await takeOwnFlow(ctx, returned)
  const { organizationId, connectionId, next } = flow
  const [connection] = await listSignInConnections(db, organizationId, connectionId)
  if (!connection?.active) throw new ApiError('sign_in_connection_not_found')
  const vouched = await askIssuer(ctx, { connection, flow, returned }).catch((error: unknown) => {
    ctx.log.warn({ organizationId, connectionId, err: error }, 'an issuer did not vouch for somebody')
    throw error
  })
  const token = await inTransaction(db, async (trx) => {
    const personId = await admit(ctx, trx, { connection, vouched, origin: returned.origin })
    if (personId instanceof ApiError) return personId
    return openSessionIn(trx, ctx.clock(), { personId, organizationId, connectionId, origin: returned.origin })
  })
  if (token instanceof ApiError) throw token
  return { token, next }
}

async function takeOwnFlow(ctx: Ctx, { query, cookie }: Returned): Promise<SignInFlow> {
  const states = new URLSearchParams(query).getAll('state')
  const state = states.length === 1 ? (states[0] ?? '') : ''
  const place = readSessionToken(state)
  const flow =
    place &&
    (await takeFlow(
      ctx.database.db,
      { organizationId: place.environmentId, id: place.id, stateHash: sha256(state), cookieHash: sha256(cookie) },
      ctx.clock(),
    ))
  if (!flow) throw new ApiError('flow_refused')
  return flow
}

type Question = { connection: SignInConnection; flow: SignInFlow; returned: Returned }

/** Issuer, state, code, verifier, nonce, audience, time and signature are checked by the library. */
async function askIssuer(ctx: Ctx, { connection, flow, returned }: Question): Promise<Vouched> {
  const { query, here } = returned
  if (here === null) throw new ApiError('issuer_failed', { message: withoutAddress })
  const config = await discoverIssuer(ctx, connection)
  const url = new URL(`${redirectUriAt(here)}?${query}`)
  const tokens = await oidc
    .authorizationCodeGrant(config, url, {
      pkceCodeVerifier: ctx.sealer.open(secretPlaces.signInVerifier(flow), flow.verifier),
      expectedState: url.searchParams.get('state') ?? '',
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    })
    .catch(refusedOrFailed)
  const vouched = await readClaims(config, tokens, connection).catch((error: unknown) =>
    failed(error, 'it did not say who you are'),
  )
  if (!vouched) throw new ApiError('issuer_failed')
  return vouched
}

/** People say no at the issuer, and issuers say no to people: that is no failure of either. */
function refusedOrFailed(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError) throw new ApiError('issuer_refused')
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
    throw new ApiError('issuer_refused', {
      message: 'The issuer does not know this code, or it was used. Begin again.',
    })
  const isClientRefused =
    error instanceof oidc.WWWAuthenticateChallengeError ||
    (error instanceof oidc.ResponseBodyError && error.error === 'invalid_client')
  if (isClientRefused) failed(error, 'it does not take the client id and secret of the connection')
  return failed(error, 'what it sent back was not good')
}
