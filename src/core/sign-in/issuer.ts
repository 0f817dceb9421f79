import * as oidc from 'openid-client'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { cutText } from '../../lib/one-line.ts'
import type { SignInConnection } from '../../store/people/sign-in-connections.ts'
import { deadlineIn } from '../integrations/provider-call.ts'
import { openSecret } from './connection-secret.ts'

// For each call. Somebody waits for it in front of a page.
const callMs = 8_000
/** As far as two clocks may differ. */
const toleranceSeconds = 60

type Asked = Pick<SignInConnection, 'organizationId' | 'id' | 'issuer' | 'clientId' | 'clientSecret'>

/**
 * What the issuer says of itself, and how it is spoken to: always through our one door out, which knows where we may go
 * and how long and how much we listen. Nothing is remembered: a sign-in is rare, and an issuer that changed its keys is
 * believed at once. Throws `issuer_failed` in words.
 */
export async function discoverIssuer(ctx: Ctx, connection: Asked): Promise<oidc.Configuration> {
  const refusal = refuseIssuer(ctx, connection.issuer)
  if (refusal !== null) throw new ApiError('issuer_failed', { message: refusal })
  const issuer = new URL(connection.issuer)
  const execute = isPlain(issuer) ? [oidc.allowInsecureRequests] : []
  const fetch = fetchByDoor(ctx)
  const { clientId } = connection
  const found = await oidc
    .discovery(issuer, clientId, undefined, oidc.None(), { execute, [oidc.customFetch]: fetch })
    .catch((error: unknown) =>
      failed(error, 'its own description (/.well-known/openid-configuration) could not be read'),
    )
  const server = found.serverMetadata()
  // An issuer of many tenants describes itself as a pattern: then any of them could vouch for anybody.
  if (plainIssuer(server.issuer) !== plainIssuer(connection.issuer))
    throw new ApiError('issuer_failed', {
      message: `The issuer calls itself ${cutText(server.issuer, 200)}: write that as the issuer of the connection.`,
    })
  if (!server.authorization_endpoint || refuseScheme(ctx, new URL(server.authorization_endpoint)) !== null)
    throw new ApiError('issuer_failed', {
      message: 'The issuer names no page to sign in that a browser may be sent to.',
    })
  const secret = openSecret(ctx, connection)
  const metadata = { [oidc.clockSkew]: skewSeconds(ctx), [oidc.clockTolerance]: toleranceSeconds }
  const config = new oidc.Configuration(server, clientId, metadata, authentication(server, secret))
  config[oidc.customFetch] = fetch
  if (isPlain(issuer)) oidc.allowInsecureRequests(config)
  // Without it the signature of a token that comes straight from the issuer is not looked at.
  oidc.enableNonRepudiationChecks(config)
  return config
}

/** Null: it may be one. Without TLS only a machine of its own developer, in development. */
export function refuseIssuer(ctx: Ctx, text: string): string | null {
  const url = URL.parse(text)
  if (!url || url.search || url.hash) return 'The issuer must be a URL like https://login.example.com.'
  return refuseScheme(ctx, url) ?? ctx.guard.refuseUrl(text)
}

function refuseScheme({ config }: Ctx, url: URL): string | null {
  const isOwnMachine = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'https:' || (isPlain(url) && isOwnMachine && !config.production)) return null
  return 'The issuer must begin with https://.'
}

/** What it answers is not believed: only that it failed, and how, is passed on. */
export function failed(error: unknown, what: string): never {
  if (error instanceof ApiError) throw error
  throw new ApiError('issuer_failed', { message: `The issuer failed: ${what} (${reasonOf(error)}).` })
}

function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof DoorFault) return at.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return words[code] ?? 'its answer makes no sense'
}

const words: Record<string, string> = {
  OAUTH_TIMEOUT: 'it took too long',
  OAUTH_RESPONSE_IS_NOT_JSON: 'its answer is no JSON',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'it refused',
  OAUTH_RESPONSE_BODY_ERROR: 'it refused',
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: 'it refused',
  OAUTH_INVALID_RESPONSE: 'the token is not signed by it, or lacks what it must say',
  OAUTH_PARSE_ERROR: 'its answer cannot be read',
  OAUTH_KEY_SELECTION_FAILED: 'the token is signed by a key that it does not have',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'the token is from another time: its clock or ours is wrong',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'the token was made for somebody else',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'it calls itself by another name than the connection does',
  OAUTH_UNSUPPORTED_OPERATION: 'the token is signed in a way that is not allowed',
}

class DoorFault extends Error {}

function fetchByDoor({ http }: Ctx): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    const reply = await http({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: withoutReserved(headers),
      ...(body !== undefined && body !== null && { body: textOf(body) }),
      deadline: deadlineIn(callMs),
    })
    if (reply.kind === 'fault') throw new DoorFault(reply.reason)
    const isEmpty = reply.status === 204 || reply.status === 304
    return new Response(isEmpty ? null : reply.text, { status: reply.status, headers: reply.headers })
  }
}

function textOf(body: NonNullable<oidc.FetchBody>): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('a body of another kind')
}

/** The door writes these itself. */
function withoutReserved(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(user-agent|content-length)$/i.test(name)))
}

/** As the issuer wants it; by default that of the standard. */
function authentication(server: oidc.ServerMetadata, secret: string): oidc.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isByBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return isByBody ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
}

/** The database's time is ours. */
function skewSeconds({ clock }: Ctx): number {
  return Math.round((clock().getTime() - Date.now()) / 1000)
}

function isPlain({ protocol }: URL): boolean {
  return protocol === 'http:'
}

function plainIssuer(text: string): string {
  return text.replace(/\/$/, '')
}
