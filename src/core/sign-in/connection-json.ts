import { type Static, Type } from 'typebox'
import { nullable, oneOf } from '../../lib/schemas.ts'
import { roles } from '../../store/access/grants.ts'
import type { SignInConnection } from '../../store/people/sign-in-connections.ts'

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'identifier', description })

export const connectionFields = {
  name: text(60, 'As the button at the sign-in says: Continue with …'),
  issuer: Type.String({ minLength: 1, maxLength: 500, description: 'As the issuer calls itself; begins with https.' }),
  clientId: text(300, 'What the issuer calls this installation.'),
  clientSecret: text(2_000, 'Never shown again.'),
  scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$' }), {
    maxItems: 20,
    description: 'What is asked of the issuer besides openid; usually email and profile.',
  }),
  domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    minItems: 1,
    maxItems: 50,
    description: 'It vouches for e-mail addresses of these alone; subdomains are others.',
  }),
  trustsEmail: Type.Boolean({
    description: 'Its issuer never says that it has checked an address, but people cannot choose theirs there.',
  }),
  groupsClaim: nullable(
    text(200, 'Where the issuer names the groups of a person, such as groups or realm_access.roles.'),
  ),
  groupRoles: Type.Array(
    Type.Object(
      { group: Type.String({ minLength: 1, maxLength: 300, format: 'identifier' }), role: oneOf(roles) },
      { additionalProperties: false },
    ),
    { maxItems: 100, description: 'In order: the first group that somebody is in says what they are.' },
  ),
  defaultRole: nullable(oneOf(roles, { description: 'For those in none of the groups; null: they may not come in.' })),
  joins: Type.Boolean({ description: 'Whoever it vouches for becomes a member; otherwise only who was invited.' }),
  active: Type.Boolean({ description: 'Off: nobody comes in by it, and whoever did is signed out.' }),
}

const { clientSecret: _never, ...shown } = connectionFields

export const connectionSchema = Type.Object(
  {
    id: Type.String(),
    ...shown,
  },
  { title: 'SignInConnection' },
)

export const redirectUri = nullable(
  Type.String({ description: 'To register at the issuers. Null: PUBLIC_URL is not set, and nobody can come in.' }),
)

export type ConnectionJson = Static<typeof connectionSchema>
export type ConnectionBody = Static<typeof newConnection>

const { scopes, trustsEmail, groupsClaim, groupRoles, defaultRole, joins, active, ...needed } = connectionFields
const usual = { scopes, trustsEmail, groupsClaim, groupRoles, defaultRole, joins, active }

export const newConnection = Type.Object(
  { ...needed, ...Type.Partial(Type.Object(usual)).properties },
  { additionalProperties: false },
)
export const changedConnection = Type.Object(Type.Partial(Type.Object(connectionFields)).properties, {
  additionalProperties: false,
  minProperties: 1,
})

/** A page of the dashboard, which brings back what the issuer says. */
export function redirectUriAt(here: string): string {
  return `${here}/sign-in/callback`
}

export function toConnectionJson(it: SignInConnection): ConnectionJson {
  const { organizationId: _place, clientSecret: _secret, ...shownOf } = it
  return shownOf
}

/** What whoever is about to sign in may know of connections. */
export const offered = Type.Array(
  Type.Object({
    organizationId: Type.String(),
    connectionId: Type.String(),
    name: Type.String(),
    host: Type.String({ description: 'Where one signs in.' }),
  }),
)
