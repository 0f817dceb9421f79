import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { SignInConnection } from '../../store/people/sign-in-connections.ts'
import { deadlineIn } from '../integrations/provider-call.ts'
import { withoutAddress } from './begin.ts'
import { discoverIssuer } from './issuer.ts'

export const checkedSchema = Type.Object(
  {
    works: Type.Boolean({ description: 'As far as one can see without signing in.' }),
    faults: Type.Array(Type.String(), { description: 'What keeps people out.' }),
    notes: Type.Array(Type.String(), { description: 'What is good to know.' }),
  },
  { title: 'CheckedSignInConnection' },
)

/** Asks the issuer what it is. Whether it takes our id and secret only a sign-in shows. */
export async function checkConnection(
  ctx: Ctx,
  connection: SignInConnection,
  here: string | null,
): Promise<Static<typeof checkedSchema>> {
  const faults = here === null ? [withoutAddress] : []
  const server = await discoverIssuer(ctx, connection).then(
    (config) => config.serverMetadata(),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      faults.push(error.message)
      return null
    },
  )
  const notes: string[] = []
  if (server) {
    const lacks = (said: readonly string[] | undefined, needed: string) => said !== undefined && !said.includes(needed)
    if (!server.token_endpoint) faults.push('The issuer names no address to fetch tokens from.')
    if (!server.jwks_uri) faults.push('The issuer names no keys: nobody could tell its tokens from forged ones.')
    else faults.push(...(await lookAtKeys(ctx, server.jwks_uri)))
    if (lacks(server.response_types_supported, 'code')) faults.push('The issuer does not offer the code flow.')
    for (const scope of connection.scopes)
      if (lacks(server.scopes_supported, scope)) notes.push(`The issuer does not list the scope ${scope}.`)
    if (lacks(server.code_challenge_methods_supported ?? [], 'S256'))
      notes.push('The issuer does not say that it looks at PKCE; it is sent all the same.')
    if (!server.authorization_response_iss_parameter_supported)
      notes.push('The issuer does not name itself when it sends people back (RFC 9207).')
  }
  return { works: faults.length === 0, faults, notes }
}

async function lookAtKeys({ http }: Ctx, url: string): Promise<string[]> {
  const reply = await http({ method: 'GET', url, deadline: deadlineIn(8_000) })
  if (reply.kind === 'fault') return [`Its keys cannot be read: ${reply.reason}.`]
  const keys = reply.status === 200 ? keysIn(reply.json) : []
  return keys.length > 0 ? [] : ['Its keys cannot be read: the answer holds none.']
}

function keysIn(json: unknown): unknown[] {
  if (typeof json !== 'object' || json === null || !('keys' in json)) return []
  return Array.isArray(json.keys) ? json.keys : []
}
