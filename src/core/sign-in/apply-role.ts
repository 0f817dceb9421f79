import type { Db } from '../../store/database.ts'
import { listMembers, type Roles, setRoles } from '../../store/people/members.ts'
import type { SignInConnection } from '../../store/people/sign-in-connections.ts'
import type { KnownMember } from '../../store/people/sign-in-identities.ts'
import { toRolesJson } from '../people/given-roles.ts'
import { noteChange } from '../record/note-change.ts'
import type { Vouched } from './claims.ts'
import { roleOf } from './role-of.ts'

type Applied = { connection: SignInConnection; vouched: Vouched; member: KnownMember }

/**
 * Anew at each sign-in: who has left a group is no longer what it made them. What people of the organization gave in
 * single environments stays. False: they are nothing any more. The members are locked.
 */
export async function applyRole(db: Db, { connection, vouched, member }: Applied): Promise<boolean> {
  const role = roleOf(connection, vouched.groups)
  const { organizationId } = connection
  if (role === member.role) return role !== null
  if (await isLastOwner(db, member, organizationId)) return true
  const after: Roles = { role, environments: role === null || role === 'owner' ? {} : member.environments }
  await setRoles(db, { organizationId, personId: member.personId }, after)
  const subject = { type: 'member', id: member.personId, name: member.name }
  noteChange(db, subject, { before: toRolesJson(member), after: toRolesJson(after) })
  return role !== null
}

async function isLastOwner(db: Db, { personId, role }: KnownMember, organizationId: string): Promise<boolean> {
  if (role !== 'owner') return false
  const members = await listMembers(db, organizationId)
  return !members.some((it) => it.role === 'owner' && it.personId !== personId)
}
