import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { newSessionToken, tokenOf } from '../../lib/session-token.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { listOfOrganization } from '../../store/access/environments.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  deleteInvitation,
  type Invitation,
  insertInvitation,
  listInvitations,
  renewInvitation,
} from '../../store/people/invitations.ts'
import { listMembers, lockMembers, mostMembers } from '../../store/people/members.ts'
import { findOrganizationName } from '../../store/people/organization-settings.ts'
import { deleteOwnMails } from '../../store/people/own-mails.ts'
import { normalEmail } from '../../store/people/persons.ts'
import { linkTo } from '../own-mails/links.ts'
import { faultOf, type MailWay, type NoWay } from '../own-mails/mail-way.ts'
import { queueMail } from '../own-mails/queue-mail.ts'
import { noteChange } from '../record/note-change.ts'
import { type GivenRoles, refuseMoreThanOwn, toRoles, toRolesJson } from './given-roles.ts'

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }
/** `way`: what can send a mail, looked up before the transaction. `here`: our own address. */
type MailScope = Scope & { here: string | null; prepared: MailWay | NoWay | undefined }

const validDays = 7

/** `link` is known only now: only the hash of its token is stored. `mailFault`: why no mail was made. */
export type Invited = Invitation & { link: string; mailFault: string | null }

export async function invite(scope: MailScope, given: GivenRoles & { email: string }): Promise<Invited> {
  const { db, env, now } = scope
  const { organizationId } = env
  const email = normalEmail(given.email)
  const roles = toRoles(given, await listOfOrganization(db, organizationId))
  refuseMoreThanOwn(env, roles)
  await lockMembers(db, organizationId)
  const members = await listMembers(db, organizationId)
  if (members.some((it) => it.email === email)) throw new ApiError('member_exists')
  if (members.length + (await listInvitations(db, organizationId)).length >= mostMembers)
    throw new ApiError('too_many_members')
  const { id, text } = newSessionToken(organizationId, now)
  const token = { tokenHash: sha256(text), expiresAt: expiryOf(now) }
  const isNew = await insertInvitation(db, {
    ...{ organizationId, id, email, ...roles, ...token },
    invitedBy: env.actor?.name ?? '',
  })
  if (!isNew) throw new ApiError('invitation_exists')
  noteChange(db, subjectOf({ id, email }), { after: toRolesJson(roles) })
  return sendLink(scope, { id, email, until: token.expiresAt }, text)
}

/** A new link, for another week; the one before opens nothing. */
export async function renew(scope: MailScope, id: string): Promise<Invited> {
  const { db, env, now } = scope
  const { organizationId } = env
  await lockMembers(db, organizationId)
  const found = await getInvitation(db, env, id)
  refuseMoreThanOwn(env, found)
  const [text, expiresAt] = [tokenOf(organizationId, id), expiryOf(now)]
  await renewInvitation(db, { organizationId, id }, { tokenHash: sha256(text), expiresAt })
  noteChange(db, subjectOf(found), { after: { expiresAt: expiresAt.toISOString() } })
  return sendLink(scope, { id, email: found.email, until: expiresAt }, text)
}

/** By mail where one can be made; whoever invites is shown the link in any case. */
async function sendLink(
  { prepared, here, ...scope }: MailScope,
  { id, email, until }: { id: string; email: string; until: Date },
  token: string,
): Promise<Invited> {
  const { ctx, db, env } = scope
  const { organizationId, actor } = env
  const mailFault = faultOf(prepared, here)
  if (mailFault === null && here !== null) {
    const letter = {
      kind: 'invitation' as const,
      link: linkTo(here, 'accept', token),
      organization: await findOrganizationName(db, organizationId),
      by: actor?.type === 'person' ? actor.name : null,
      until: until.toISOString(),
    }
    await queueMail(scope, { organizationId, subjectId: id, recipient: email, letter })
  } else await deleteOwnMails(db, { organizationId, subjectId: id })
  const link = linkTo(ctx.config.publicUrl ?? '', 'accept', token)
  return { ...(await getInvitation(db, env, id)), link, mailFault }
}

export async function revokeInvitation({ db, env }: Scope, id: string): Promise<void> {
  const found = await getInvitation(db, env, id)
  await deleteInvitation(db, env.organizationId, id)
  noteChange(db, subjectOf(found), { before: toRolesJson(found) })
}

function subjectOf({ id, email }: { id: string; email: string }) {
  return { type: 'invitation', id, name: email }
}

async function getInvitation(db: Db, { organizationId }: Env, id: string): Promise<Invitation> {
  const [found] = isUuid7(id) ? await listInvitations(db, organizationId, id) : []
  if (!found) throw new ApiError('invitation_not_found')
  return found
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + validDays * 24 * 3_600_000)
}
