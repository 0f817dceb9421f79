import { type Static, Type } from 'typebox'
import { ApiError, invalidField } from '../../errors.ts'
import { nullable, oneOf } from '../../lib/schemas.ts'
import type { OrganizationEnvironment } from '../../store/access/environments.ts'
import { type Grant, type Grants, roles } from '../../store/access/grants.ts'
import type { Env } from '../../store/database.ts'
import type { Roles } from '../../store/people/members.ts'
import { type Permission, permissionNames, permissions, refuseUnless } from '../access/permissions.ts'

/** An owner is one everywhere. */
const environmentRoles = ['admin', 'author', 'operator', 'viewer'] as const

export const rolesProperties = {
  role: nullable(
    oneOf(roles, {
      description: 'In the organization, and in each environment that is not named; null: only in those that are.',
    }),
  ),
  environments: Type.Array(
    Type.Object({
      environmentId: Type.String(),
      role: nullable(oneOf(environmentRoles, { description: 'Null: nothing there.' })),
    }),
    { maxItems: 200 },
  ),
}
type Given = {
  role: Static<(typeof rolesProperties)['role']>
  environments: Static<(typeof rolesProperties)['environments']>
}

/** What is not given stays. */
export type GivenRoles = { [K in keyof Given]?: Given[K] | undefined }

export function toRolesJson({ role, environments }: Roles): Given {
  return {
    role,
    // An owner is one everywhere, so none is named that is not of these.
    environments: Object.entries(environments).flatMap(([environmentId, there]) =>
      there === 'owner' ? [] : [{ environmentId, role: there }],
    ),
  }
}

/** Throws 422 unless they make sense together. */
export function toRoles(asked: GivenRoles, all: readonly OrganizationEnvironment[]): Roles {
  const given: Given = { role: asked.role ?? null, environments: asked.environments ?? [] }
  const environments: Record<string, Given['role']> = {}
  for (const { environmentId, role } of given.environments) {
    const isKnown = all.some(({ id, deletedAt }) => id === environmentId && deletedAt === null)
    if (!isKnown) throw invalidField('environments', 'names an environment that this organization does not have')
    if (Object.hasOwn(environments, environmentId)) throw invalidField('environments', 'names an environment twice')
    environments[environmentId] = role
  }
  if (given.role === 'owner' && given.environments.length > 0)
    throw invalidField('environments', 'must be empty: an owner is one everywhere')
  if (given.role === null && Object.values(environments).every((role) => role === null))
    throw invalidField('role', 'or one in an environment is needed')
  return { role: given.role, environments }
}

/**
 * Nobody gives, changes or takes away more than they have: neither in the organization nor in any of its environments.
 * Only owners make, change and remove owners.
 */
export function refuseMoreThanOwn(env: Env, other: Roles): void {
  if (other.role === 'owner') refuseUnless(env, 'owners')
  const own: Grants = env.grants ?? { everywhere: null, in: {} }
  const places = new Set([...Object.keys(own.in), ...Object.keys(other.environments)])
  const isWithinOwn =
    isWithin(other.role, own.everywhere) &&
    [...places].every((id) =>
      isWithin(grantAt({ everywhere: other.role, in: other.environments }, id), grantAt(own, id)),
    )
  if (!isWithinOwn)
    throw new ApiError('not_permitted', { message: 'This role may do more than you may, here or in an environment.' })
}

function grantAt({ everywhere, in: named }: Grants, id: string): Grant | null {
  return Object.hasOwn(named, id) ? (named[id] ?? null) : everywhere
}

function isWithin(grant: Grant | null, most: Grant | null): boolean {
  const allowed = (it: Grant | null, permission: Permission) =>
    it !== null && (permissions[permission].by as readonly Grant[]).includes(it)
  return permissionNames.every((permission) => !allowed(grant, permission) || allowed(most, permission))
}
