import { type Static, Type } from 'typebox'
import { grantIn, may, permissionNames } from '../../core/access/permissions.ts'
import { ApiError } from '../../errors.ts'
import { oneOf } from '../../lib/schemas.ts'
import { reaches } from '../../store/access/api-keys.ts'
import { environmentTypes, type OrganizationEnvironment } from '../../store/access/environments.ts'
import { type Role, roles } from '../../store/access/grants.ts'
import type { Env } from '../../store/database.ts'
import type { AnySession } from './sessions.ts'

const environmentFields = {
  id: Type.String(),
  name: Type.String(),
  slug: Type.String({ description: 'Part of its address: /env/<slug>/workflows.' }),
  color: Type.String(),
  type: oneOf(environmentTypes),
  protected: Type.Boolean(),
}
const shownEnvironment = Type.Object(environmentFields)
const reachedEnvironment = Type.Object({
  ...environmentFields,
  mayPublish: Type.Boolean({ description: 'Whether one may publish to it, and put it back.' }),
})

export const sessionSchema = Type.Object(
  {
    environment: shownEnvironment,
    environments: Type.Array(reachedEnvironment, { description: 'Those one can go to from here, this one too.' }),
    organization: Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) }),
    reach: oneOf(reaches),
    permissions: Type.Array(oneOf(permissionNames), { description: 'What one may do here.' }),
    signedInBy: oneOf(['key', 'link', 'person']),
    person: Type.Optional(
      Type.Object({
        id: Type.String(),
        email: Type.String(),
        name: Type.String(),
        hasPassword: Type.Boolean(),
        twoFactor: Type.Boolean({ description: 'Signs in with a second proof besides the password.' }),
      }),
    ),
    role: Type.Optional(oneOf(roles, { description: 'What the person is in this environment.' })),
    mustSetUp: Type.Optional(
      oneOf(['two-factor'], {
        description: 'The organization asks for it: until it is there, one has no permission here.',
      }),
    ),
    keyId: Type.Optional(Type.String()),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Session' },
)

export type SessionJson = Static<typeof sessionSchema>
type Place = { env: Env; environments: readonly OrganizationEnvironment[] }

/** Throws `unauthorized` when there is no session to show. */
export function toSessionJson(session: AnySession | null, place: Place | null): SessionJson {
  if (!session || !place) throw new ApiError('unauthorized', { message: 'Nobody is signed in here.' })
  const open = place.environments.filter((it) => it.deletedAt === null && !it.isElsewhere).map(toShown)
  const environment = open.find(({ id }) => id === place.env.environmentId)
  if (!environment) throw new ApiError('environment_not_found')
  const mustSetUp = 'person' in session && session.mustSetUp
  return {
    environment,
    environments: open.map((it) => ({ ...it, mayPublish: !mustSetUp && mayPublishTo(place.env, it.id) })),
    permissions: mustSetUp ? [] : permissionNames.filter((name) => may(place.env, name)),
    ...(mustSetUp && { mustSetUp: 'two-factor' as const }),
    reach: place.env.grants?.everywhere ? 'organization' : 'environment',
    organization: {
      id: session.organizationId,
      ...(session.organizationName !== null && { name: session.organizationName }),
    },
    ...whoIs(session, place.env),
    expiresAt: session.expiresAt.toISOString(),
  }
}

/** What is published comes from another environment: a key that opens only one cannot do it. */
function mayPublishTo(env: Env, environmentId: string): boolean {
  const opensOne = env.actor?.type === 'key' && !env.grants?.everywhere
  return !opensOne && may({ ...env, environmentId }, 'publish')
}

function whoIs(session: AnySession, env: Env) {
  if (!('person' in session)) {
    const { apiKeyId } = session
    return apiKeyId === null ? { signedInBy: 'link' as const } : { signedInBy: 'key' as const, keyId: apiKeyId }
  }
  const { id, email, name, hasPassword, twoFactor } = session.person
  const grant = grantIn(env)
  const role = roles.find((it): it is Role => it === grant)
  return {
    signedInBy: 'person' as const,
    person: { id, email, name, hasPassword, twoFactor },
    ...(role && { role }),
  }
}

function toShown({ id, name, slug, color, type, protected: isProtected }: OrganizationEnvironment) {
  return { id, name, slug, color, type, protected: isProtected }
}
