import { ApiError } from '../../errors.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { listOfOrganization } from '../../store/access/environments.ts'
import type { Db, Env } from '../../store/database.ts'
import { deleteMember, listMembers, lockMembers, type Member, setRoles } from '../../store/people/members.ts'
import { voidResets } from '../../store/people/password-resets.ts'
import { forgetStranger } from '../../store/people/persons.ts'
import { noteChange } from '../record/note-change.ts'
import { type GivenRoles, refuseMoreThanOwn, toRoles, toRolesJson } from './given-roles.ts'

type Scope = { db: Db; env: Env }

/** What is not given stays. On every node it counts within two seconds. */
export async function changeMember({ db, env }: Scope, personId: string, given: GivenRoles): Promise<Member> {
  const { organizationId } = env
  await lockMembers(db, organizationId)
  const before = await getMember(db, env, personId)
  const all = await listOfOrganization(db, organizationId)
  const roles = toRoles({ ...toRolesJson(before), ...given }, all)
  refuseMoreThanOwn(env, before)
  refuseMoreThanOwn(env, roles)
  if (roles.role !== 'owner') await refuseLastOwner(db, before, organizationId)
  await setRoles(db, { organizationId, personId }, roles)
  noteChange(db, subjectOf(before), { before: toRolesJson(before), after: toRolesJson(roles) })
  return getMember(db, env, personId)
}

/** Their sessions end with it. */
export async function removeMember({ db, env }: Scope, personId: string): Promise<void> {
  const { organizationId } = env
  await lockMembers(db, organizationId)
  const before = await getMember(db, env, personId)
  refuseMoreThanOwn(env, before)
  await refuseLastOwner(db, before, organizationId)
  await deleteMember(db, { organizationId, personId })
  await voidResets(db, personId)
  await forgetStranger(db, personId)
  noteChange(db, subjectOf(before), { before: toRolesJson(before) })
}

export function subjectOf({ personId, name }: Pick<Member, 'personId' | 'name'>) {
  return { type: 'member', id: personId, name }
}

export async function getMember(db: Db, { organizationId }: Env, personId: string): Promise<Member> {
  const [found] = isUuid7(personId) ? await listMembers(db, organizationId, personId) : []
  if (!found) throw new ApiError('member_not_found')
  return found
}

/** The members are locked. */
async function refuseLastOwner(db: Db, { role, personId }: Member, organizationId: string): Promise<void> {
  if (role !== 'owner') return
  const others = (await listMembers(db, organizationId)).filter((it) => it.personId !== personId)
  if (!others.some((it) => it.role === 'owner')) throw new ApiError('last_owner')
}
