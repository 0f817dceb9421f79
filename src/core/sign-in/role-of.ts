import type { Role } from '../../store/access/grants.ts'
import type { SignInConnection } from '../../store/people/sign-in-connections.ts'

type Giving = Pick<SignInConnection, 'groupRoles' | 'defaultRole'>

/** What somebody is by the first of the named groups that they are in. */
export function roleOf({ groupRoles, defaultRole }: Giving, groups: readonly string[]): Role | null {
  const own = new Set(groups)
  return groupRoles.find(({ group }) => own.has(group))?.role ?? defaultRole
}

/** Otherwise what people are is decided here, and the connection only says who they are. */
export function givesRoles({ groupRoles }: Giving): boolean {
  return groupRoles.length > 0
}

export function givesOwner({ groupRoles, defaultRole }: Giving): boolean {
  return defaultRole === 'owner' || groupRoles.some(({ role }) => role === 'owner')
}
