import type { Member } from '../../../../api/types.ts'

export type Role = NonNullable<Member['role']>
export type PlaceRole = NonNullable<Member['environments'][number]['role']>

/** What somebody is: in the organization, and otherwise in some environments. Null: nothing. */
export type Roles = { everywhere: Role | null; in: Readonly<Record<string, Role | null>> }

export const roles: readonly Role[] = ['owner', 'admin', 'author', 'operator', 'viewer']
/** An owner is one everywhere. */
export const placeRoles: readonly PlaceRole[] = ['admin', 'author', 'operator', 'viewer']

export const roleWords: Record<Role, { name: string; may: string }> = {
  owner: { name: 'Owner', may: 'everything; makes other owners' },
  admin: { name: 'Admin', may: 'people, environments, publishing, integrations, keys, and all below' },
  author: { name: 'Author', may: 'workflows, layouts and languages; no credentials' },
  operator: { name: 'Operator', may: 'keeps it running; changes no content' },
  viewer: { name: 'Viewer', may: 'sees everything but secrets, changes nothing' },
}

/** May do as much as the others, or more. An author and an operator may each do what the other may not. */
const includes: Record<Role, readonly Role[]> = {
  owner: roles,
  admin: placeRoles,
  author: ['author', 'viewer'],
  operator: ['operator', 'viewer'],
  viewer: ['viewer'],
}

export function isWithin(role: Role | null, most: Role | null): boolean {
  return role === null || (most !== null && includes[most].includes(role))
}

export function rolesOf({ role, environments }: Pick<Member, 'role' | 'environments'>): Roles {
  return { everywhere: role, in: Object.fromEntries(environments.map((it) => [it.environmentId, it.role])) }
}

export function toBody({ everywhere, in: named }: Roles): Pick<Member, 'role' | 'environments'> {
  if (everywhere === 'owner') return { role: everywhere, environments: [] }
  return {
    role: everywhere,
    environments: Object.entries(named).flatMap(([environmentId, role]) =>
      role === 'owner' ? [] : [{ environmentId, role }],
    ),
  }
}

export function roleIn({ everywhere, in: named }: Roles, id: string): Role | null {
  if (everywhere === 'owner') return 'owner'
  return Object.hasOwn(named, id) ? (named[id] ?? null) : everywhere
}

/** Whether it is said for this environment, and not what they are everywhere. */
export function isOwn({ everywhere, in: named }: Roles, id: string): boolean {
  return everywhere !== 'owner' && Object.hasOwn(named, id)
}

/** The same as everywhere is not said again. */
export function withRoleIn(given: Roles, id: string, role: PlaceRole | null): Roles {
  const { [id]: _before, ...others } = given.in
  return { ...given, in: role === given.everywhere ? others : { ...others, [id]: role } }
}

type Place = { id: string; name: string }

/** What the server would refuse, before anybody tries. */
export function faultsOfRoles(given: Roles, own: Roles, places: readonly Place[]): string[] {
  const { everywhere, in: named } = given
  if (everywhere === null && Object.values(named).every((role) => role === null))
    return ['Choose a role: everywhere, or in one environment.']
  if (!isWithin(everywhere, own.everywhere)) return [`Only an owner makes an owner. ${youAre(own.everywhere)}.`]
  return places
    .filter(({ id }) => !isWithin(roleIn(given, id), roleIn(own, id)))
    .map(({ id, name }) => `Nobody gives more than they have. In ${name} ${lowerFirst(youAre(roleIn(own, id)))}.`)
}

function youAre(role: Role | null): string {
  if (role === null) return 'You have no role'
  return `You are ${withArticle(role)}`
}

export function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** What differs from what they are everywhere: `viewer in Production`. */
export function exceptionsOf(given: Roles, places: readonly Place[]): string[] {
  return places.filter(({ id }) => isOwn(given, id)).map(({ id, name }) => `${given.in[id] ?? 'nothing'} in ${name}`)
}

export type RolePlace = { id: string; name: string; color: string }
export type RoleFieldsProps = {
  value: Roles
  onChange(value: Roles): void
  /** What the one who chooses has: nobody gives more. */
  own: Roles
  places: readonly RolePlace[]
}
