import { domainToASCII } from 'node:url'
import * as oidc from 'openid-client'
import { isEmail, isIdentifier } from '../../lib/formats.ts'
import { isStorableText } from '../../lib/read-json.ts'
import { normalEmail } from '../../store/people/persons.ts'
import type { SignInConnection } from '../../store/people/sign-in-connections.ts'

/** What an issuer says of somebody, as far as it can be used. */
export type Vouched = {
  subject: string
  /** Null: none, or one that nothing can be sent to. */
  email: { address: string; domain: string; isVerified: boolean } | null
  name: string | null
  groups: readonly string[]
}

type Claims = Readonly<Record<string, unknown>>

/** The token says it, or, where that is silent, what the issuer answers about the same person. */
export async function readClaims(
  config: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  { groupsClaim }: SignInConnection,
): Promise<Vouched | null> {
  const token = tokens.claims()
  if (!token || !isSubject(token.sub)) return null
  const saysAll = token.email !== undefined && (groupsClaim === null || at(token, groupsClaim) !== undefined)
  const canAsk = config.serverMetadata().userinfo_endpoint !== undefined
  const all: Claims[] = [token]
  // It throws where the answer is about somebody else.
  if (!saysAll && canAsk) all.push(await oidc.fetchUserInfo(config, tokens.access_token, token.sub))
  return {
    subject: token.sub,
    // The address and whether it was checked are of one source.
    email: toEmail(all.find((it) => it.email !== undefined)),
    name: all.map(toName).find((it) => it !== null) ?? null,
    groups: groupsClaim === null ? [] : toGroups(all.map((it) => at(it, groupsClaim)).find((it) => it !== undefined)),
  }
}

function isSubject(text: string): boolean {
  return text !== '' && text.length <= 255 && isStorableText(text)
}

function toEmail(claims: Claims | undefined): Vouched['email'] {
  if (typeof claims?.email !== 'string') return null
  const address = normalEmail(claims.email)
  const domain = domainOf(address)
  if (domain === null) return null
  return { address, domain, isVerified: claims.email_verified === true || claims.email_verified === 'true' }
}

/** As domains are kept. Null: it is no address. */
export function domainOf(address: string): string | null {
  // Letters that PostgreSQL and we lower in different ways are no part of an address that people have.
  if (!isEmail(address) || !/^[\x21-\x7e]*@/.test(address) || !isStorableText(address)) return null
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1).toLowerCase()) || null
}

const longestName = 100

function toName(claims: Claims): string | null {
  const parts = [claims.given_name, claims.family_name].filter((it) => typeof it === 'string').join(' ')
  for (const given of [claims.name, parts, claims.preferred_username]) {
    const name = typeof given === 'string' ? [...given.trim()].slice(0, longestName).join('') : ''
    if (isIdentifier(name) && isStorableText(name)) return name
  }
  return null
}

const mostGroups = 5_000

function toGroups(said: unknown): string[] {
  return [said]
    .flat()
    .filter((it) => typeof it === 'string')
    .slice(0, mostGroups)
}

/** By its whole name, which may be a URL, or else by the names on the way to it. */
function at(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((from, name) => {
    return typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined
  }, claims)
}
