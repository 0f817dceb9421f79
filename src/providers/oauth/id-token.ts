import { parseJson } from '../shared/parse-json.ts'
import { field, listField } from '../shared/reply-field.ts'

/** `issuer`: one that serves many tenants names the tenant in it, which only the claims tell. */
export type Expected = {
  issuer: string | ((claims: object) => string)
  clientId: string
  nonce: string
  now: Date
}

// Clocks differ a little.
const leewayMs = 5 * 60_000

/**
 * The claims of an ID token that came straight from the vendor's token endpoint. OpenID Connect Core 3.1.3.7 lets TLS
 * vouch for the issuer there, instead of the signature; who issued it, for whom and for which login is checked all the
 * same. Never for a token that a browser brought.
 */
export function readIdToken(token: unknown, { issuer, clientId, nonce, now }: Expected): object | { fault: string } {
  const claims = typeof token === 'string' ? decode(token) : undefined
  if (!claims) return { fault: 'the ID token cannot be read' }
  const expected = typeof issuer === 'string' ? issuer : issuer(claims)
  if (field(claims, 'iss') !== expected) return { fault: 'the ID token is not from this vendor' }
  const audience = field(claims, 'aud')
  if (audience !== clientId && !listField(claims, 'aud').includes(clientId)) {
    return { fault: 'the ID token is for another app' }
  }
  if (field(claims, 'nonce') !== nonce) return { fault: 'the ID token is of another login' }
  const expires = Number(field(claims, 'exp')) * 1000
  if (!(expires > now.getTime() - leewayMs)) return { fault: 'the ID token has expired' }
  return claims
}

function decode(token: string): object | undefined {
  const [, claims = '', signature, ...more] = token.split('.')
  if (signature === undefined || more.length > 0) return undefined
  const json = parseJson(Buffer.from(claims, 'base64url').toString('utf8'))
  return typeof json === 'object' && json !== null ? json : undefined
}
