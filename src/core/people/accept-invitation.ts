import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { readSessionToken } from '../../lib/session-token.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { type Db, type Env, inTransaction } from '../../store/database.ts'
import { findInvitation, type OpenInvitation, takeInvitation } from '../../store/people/invitations.ts'
import { insertMember, lockMembers } from '../../store/people/members.ts'
import { voidResets } from '../../store/people/password-resets.ts'
import type { Origin } from '../../store/people/person-sessions.ts'
import { findPersonByEmail, holdProof, insertPerson, type Person, replacePassword } from '../../store/people/persons.ts'
import { noteChange } from '../record/note-change.ts'
import { writeRecord } from '../record/write-record.ts'
import { toRolesJson } from './given-roles.ts'
import { checkPassword } from './password-rules.ts'
import { openPersonSession, provePassword } from './sign-in-person.ts'

type Given = { token: string; name?: string | undefined; password: string }
/** `proved`: by their password, which must still be theirs. */
type Someone = { id: string; name: string; isNew?: { email: string }; passwordHash?: string; proved?: Person }

/** What the page shows to whoever holds the token. `isKnown`: they have an account and a password already. */
export async function showInvitation(ctx: Ctx, token: string): Promise<OpenInvitation & { isKnown: boolean }> {
  const found = await getInvitation(ctx, token)
  const person = await findPersonByEmail(ctx.database.db, found.email)
  return { ...found, isKnown: person !== null && person.passwordHash !== null }
}

/**
 * For somebody new, who chooses a name and a password, or for somebody known, by their password. Who is known and has
 * none, because they come to other organizations by a connection, chooses one: it opens none of those. Answers a session.
 */
export async function acceptInvitation(
  ctx: Ctx,
  { token, name, password }: Given,
  origin: Origin,
): Promise<string | null> {
  const invitation = await getInvitation(ctx, token)
  const { email } = invitation
  const known = await findPersonByEmail(ctx.database.db, email)
  if (!known) {
    if (name === undefined) throw invalidField('name', 'is needed')
    checkPassword('password', password, { email, name })
    const passwordHash = await ctx.passwords.hash(password)
    return join(ctx, token, { id: uuid7(ctx.clock()), name, isNew: { email }, passwordHash }, origin)
  }
  if (known.passwordHash === null) {
    checkPassword('password', password, known)
    return join(ctx, token, { ...known, passwordHash: await ctx.passwords.hash(password) }, origin)
  }
  // The second proof is asked for where people sign in, and nowhere else.
  if (known.twoFactor) throw new ApiError('sign_in_first')
  const proved = await provePassword(ctx, { email, password }, origin)
  return proved && join(ctx, token, { id: proved.id, name: proved.name, proved }, origin)
}

/** For somebody who is signed in: nobody else's invitation. */
export async function joinBySession(
  ctx: Ctx,
  token: string,
  person: { id: string; name: string; email: string },
  origin: Origin,
): Promise<string | null> {
  const { email } = await getInvitation(ctx, token)
  if (email !== person.email) throw new ApiError('invitation_refused')
  return join(ctx, token, person, origin)
}

/** Uses the invitation and opens a session in one transaction. */
async function join(ctx: Ctx, text: string, who: Someone, origin: Origin): Promise<string | null> {
  const token = readToken(text)
  const { organizationId } = token
  return inTransaction(ctx.database.db, async (db) => {
    const now = ctx.clock()
    const invitation = await findInvitation(db, token, now)
    await lockMembers(db, organizationId)
    if (!invitation || !(await takeInvitation(db, token, now))) throw new ApiError('invitation_refused')
    if (who.proved && !(await holdProof(db, who.proved))) throw new ApiError('sign_in_refused')
    await saveProof(db, who, now)
    // Whoever could read mails of theirs elsewhere could not be in here.
    await voidResets(db, who.id)
    const roles = { role: invitation.role, environments: invitation.environments }
    if (await insertMember(db, { organizationId, personId: who.id }, roles, now))
      noteChange(db, { type: 'member', id: who.id, name: who.name }, { after: toRolesJson(roles) })
    await recordAs(db, { ...who, organizationId }, 'invitations.accept', origin, now)
    return openPersonSession(db, now, { person: who, organizationId, origin })
  })
}

/** A new person, or the first password of a known one. Nobody's password is replaced by an invitation. */
async function saveProof(db: Db, { id, name, isNew, passwordHash }: Someone, now: Date): Promise<void> {
  if (passwordHash === undefined) return
  const isSaved = isNew
    ? await insertPerson(db, { id, name, ...isNew, passwordHash }, now)
    : await replacePassword(db, id, { before: null, after: passwordHash }, now)
  if (!isSaved) throw new ApiError('sign_in_first')
}

/** For what a person does before there is a session. */
export async function recordAs(
  db: Db,
  { id, name, organizationId }: { id: string; name: string; organizationId: string },
  action: string,
  origin: Origin,
  now: Date,
): Promise<void> {
  const env: Env = { environmentId: '', organizationId, keyId: id, actor: { type: 'person', id, name, ...origin } }
  await writeRecord(db, env, { action, ofOrganization: true }, now)
}

async function getInvitation(ctx: Ctx, text: string): Promise<OpenInvitation> {
  const found = await findInvitation(ctx.database.db, readToken(text), ctx.clock())
  if (!found) throw new ApiError('invitation_refused')
  return found
}

function readToken(text: string) {
  const read = readSessionToken(text)
  if (!read) throw new ApiError('invitation_refused')
  return { organizationId: read.environmentId, id: read.id, tokenHash: sha256(text) }
}
