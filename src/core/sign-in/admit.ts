import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db } from '../../store/database.ts'
import { deleteInvitationOf, findInvitationOf } from '../../store/people/invitations.ts'
import { countMembers, insertMember, lockMembers, mostMembers, type Roles } from '../../store/people/members.ts'
import type { Origin } from '../../store/people/person-sessions.ts'
import { findPersonByEmail, insertPerson } from '../../store/people/persons.ts'
import type { SignInConnection } from '../../store/people/sign-in-connections.ts'
import {
  findMemberByEmail,
  findMemberBySubject,
  type KnownMember,
  linkIdentity,
  setThrough,
} from '../../store/people/sign-in-identities.ts'
import { recordAs } from '../people/accept-invitation.ts'
import { toRolesJson } from '../people/given-roles.ts'
import { noteChange } from '../record/note-change.ts'
import { applyRole } from './apply-role.ts'
import type { Vouched } from './claims.ts'
import { givesOwner, givesRoles, roleOf } from './role-of.ts'

export type Admission = { connection: SignInConnection; vouched: Vouched; origin: Origin }

/**
 * Who this is here: a member already, somebody who was invited, or somebody who joins. Answers the person; throws where
 * they may not come in. A refusal that is answered comes with a change that is kept.
 */
export async function admit(ctx: Ctx, db: Db, admission: Admission): Promise<string | ApiError> {
  const { connection, vouched } = admission
  const place = { organizationId: connection.organizationId, connectionId: connection.id }
  await lockMembers(db, place.organizationId)
  const known = await findMemberBySubject(db, place, vouched.subject)
  if (known) {
    refuseUnlessOfDomain(connection, known.email.slice(known.email.lastIndexOf('@') + 1))
    return admitMember(ctx, db, admission, known)
  }
  const address = provenAddress(connection, vouched)
  const member = await findMemberByEmail(db, place, address)
  if (!member) return admitStranger(ctx, db, admission, address)
  // The account at the issuer was made anew, perhaps for somebody else.
  if (member.subject !== null) throw refused(`${address} belongs to another account at the issuer. ${askOwner.remove}`)
  await linkIdentity(db, place, { subject: vouched.subject, personId: member.personId })
  return admitMember(ctx, db, admission, member)
}

const askOwner = {
  domain: 'Come with another account of yours there, or ask an owner of the organization.',
  remove: 'An owner can remove the member here, so that you join anew.',
  group: 'Ask whoever keeps the groups there, or an owner of the organization here.',
  invite: 'Ask for an invitation.',
}

function refused(message: string): ApiError {
  return new ApiError('connection_refused', { message })
}

/** What an issuer says of an address counts only where it, or whoever runs it, has checked it, and where it is its own. */
function provenAddress(connection: SignInConnection, { email }: Vouched): string {
  if (!email) throw refused('The issuer tells no e-mail address of yours. An owner can ask it for more (scope email).')
  if (!email.isVerified && !connection.trustsEmail)
    throw refused(`The issuer has not checked that ${email.address} is yours. Confirm it there, then try again.`)
  refuseUnlessOfDomain(connection, email.domain)
  return email.address
}

function refuseUnlessOfDomain({ domains, name }: SignInConnection, domain: string): void {
  if (!domains.includes(domain))
    throw refused(`${name} does not vouch for addresses of ${domain} here. ${askOwner.domain}`)
}

/** Who has a password or another connection is let in by this one too, but not up to what it may not give. */
function refuseOthers(connection: SignInConnection, member: KnownMember): void {
  const { through, isThroughGone, role } = member
  const isOthers = through !== null && through !== connection.id && !isThroughGone
  if (isOthers) throw refused('You come in here by another connection of the organization: continue with that.')
  if (through !== connection.id && role === 'owner' && !givesOwner(connection))
    throw refused('You are an owner here, and this connection makes no owners: sign in by your password.')
}

async function admitMember(
  ctx: Ctx,
  db: Db,
  { connection, vouched, origin }: Admission,
  member: KnownMember,
): Promise<string | ApiError> {
  const place = { organizationId: connection.organizationId, connectionId: connection.id }
  refuseOthers(connection, member)
  if (member.through === null) return member.personId
  if (member.isThroughGone) await setThrough(db, place, member.personId)
  const isAdmitted = !givesRoles(connection) || (await applyRole(db, { connection, vouched, member }))
  const who = { id: member.personId, name: member.name, organizationId: place.organizationId }
  await recordAs(db, who, 'sign-in-connections.roles', origin, ctx.clock())
  return isAdmitted ? member.personId : refused(noGroup)
}

const noGroup = `None of your groups at the issuer is anything here. ${askOwner.group}`

async function admitStranger(ctx: Ctx, db: Db, admission: Admission, address: string): Promise<string> {
  const { connection, vouched, origin } = admission
  const { organizationId, id: connectionId } = connection
  const now = ctx.clock()
  const roles = await rolesOfStranger(db, admission, { address, now })
  if ((await countMembers(db, organizationId)) >= mostMembers) throw new ApiError('too_many_members')
  const person = await findOrMakePerson(db, { address, name: vouched.name ?? address.split('@')[0] ?? address }, now)
  await insertMember(db, { organizationId, personId: person.id }, { ...roles, through: connectionId }, now)
  await deleteInvitationOf(db, { organizationId, email: address })
  await linkIdentity(db, { organizationId, connectionId }, { subject: vouched.subject, personId: person.id })
  const after = { ...toRolesJson(roles), through: connection.name }
  noteChange(db, { type: 'member', id: person.id, name: person.name }, { after })
  await recordAs(db, { ...person, organizationId }, 'sign-in-connections.join', origin, now)
  return person.id
}

type Stranger = { address: string; now: Date }

/** By their groups where the connection knows groups; else what they were invited as, or what everybody is at first. */
async function rolesOfStranger(db: Db, { connection, vouched }: Admission, { address, now }: Stranger): Promise<Roles> {
  const invitation = await findInvitationOf(db, { organizationId: connection.organizationId, email: address }, now)
  if (!invitation && !connection.joins) throw refused(`Nobody here has the address ${address}. ${askOwner.invite}`)
  if (invitation && !givesRoles(connection)) {
    if (invitation.role === 'owner' && !givesOwner(connection))
      throw refused('This connection makes no owners: accept the invitation by a password.')
    return invitation
  }
  const role = roleOf(connection, vouched.groups)
  if (role === null) throw refused(noGroup)
  return { role, environments: role === 'owner' ? {} : (invitation?.environments ?? {}) }
}

/** Who is known elsewhere stays who they are: neither their name nor their password changes. */
async function findOrMakePerson(
  db: Db,
  { address, name }: { address: string; name: string },
  now: Date,
): Promise<{ id: string; name: string }> {
  const known = await findPersonByEmail(db, address)
  if (known) return known
  const person = { id: uuid7(now), email: address, name, passwordHash: null }
  if (await insertPerson(db, person, now)) return person
  const meanwhile = await findPersonByEmail(db, address)
  if (!meanwhile) throw new Error('somebody has this address, and nobody has it')
  return meanwhile
}
