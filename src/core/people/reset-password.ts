import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { readSessionToken, tokenOf } from '../../lib/session-token.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { findMailingOrganization, listOrganizationsOf } from '../../store/people/members.ts'
import { insertReset, isOpenReset, takeReset } from '../../store/people/password-resets.ts'
import { endPersonSessions, type Origin } from '../../store/people/person-sessions.ts'
import { findPerson, findPersonByEmail, normalEmail, replacePassword } from '../../store/people/persons.ts'
import { forgetFailures, takeAttempt } from '../../store/people/sign-in-failures.ts'
import { linkTo } from '../own-mails/links.ts'
import { faultOf, findMailWay } from '../own-mails/mail-way.ts'
import { queueMail } from '../own-mails/queue-mail.ts'
import { noteChange } from '../record/note-change.ts'
import { recordAs } from './accept-invitation.ts'
import { checkPassword } from './password-rules.ts'
import { accountHash, openPersonSession } from './sign-in-person.ts'

const validMs = 3_600_000

/**
 * A mail with a link, if somebody has this address and a mail can be made. Whoever asks is answered before, in any case:
 * neither words nor time tell whether anybody has it. Asked again and again for one address, it waits as a sign-in does.
 */
export async function askReset(ctx: Ctx, email: string, here: string | null): Promise<void> {
  const { db } = ctx.database
  const now = ctx.clock()
  if (await takeAttempt(db, sha256(`reset ${normalEmail(email)}`), now)) return
  const person = await findPersonByEmail(db, email)
  const organizationId = person && (await findMailingOrganization(db, person.id))
  if (!person || !organizationId) return
  const fault = faultOf(await findMailWay(ctx, organizationId), here)
  if (fault !== null || here === null) {
    ctx.log.warn({ organizationId, fault }, 'somebody asked for a new password, and no mail could be made')
    return
  }
  await inTransaction(db, async (trx) => {
    const { token, expiresAt } = await makeReset(trx, person.id, now)
    const until = expiresAt.toISOString()
    const letter = {
      kind: 'password-reset',
      link: linkTo(here, 'reset', token),
      organization: '',
      by: null,
      until,
    } as const
    await queueMail({ ctx, db: trx, now }, { organizationId, subjectId: person.id, recipient: person.email, letter })
  })
}

/** Links from before open nothing any more. */
export async function makeReset(db: Db, personId: string, now: Date): Promise<{ token: string; expiresAt: Date }> {
  const id = uuid7(now)
  const [token, expiresAt] = [tokenOf(personId, id), new Date(now.getTime() + validMs)]
  await insertReset(db, { personId, id, tokenHash: sha256(token), expiresAt })
  return { token, expiresAt }
}

/** Ends all sessions of the person. Answers a new one; null: they must sign in, because the mail proves too little. */
export async function resetPassword(
  ctx: Ctx,
  given: { token: string; password: string },
  origin: Origin,
): Promise<string | null> {
  const { db } = ctx.database
  const token = readToken(given.token)
  const person = (await isOpenReset(db, token, ctx.clock())) ? await findPerson(db, token.personId) : null
  if (!person) throw new ApiError('reset_refused')
  checkPassword('password', given.password, person)
  const fresh = await ctx.passwords.hash(given.password)
  return inTransaction(db, async (trx) => {
    const now = ctx.clock()
    if (!(await takeReset(trx, token, now))) throw new ApiError('reset_refused')
    if (!(await replacePassword(trx, person.id, { before: person.passwordHash, after: fresh }, now)))
      throw new ApiError('reset_refused')
    await endPersonSessions(trx, person.id, {}, now)
    await forgetFailures(trx, accountHash(person.email))
    for (const { id: organizationId } of await listOrganizationsOf(trx, person.id)) {
      noteChange(trx, { type: 'person', id: person.id, name: person.name }, {})
      await recordAs(trx, { ...person, organizationId }, 'account.reset', origin, now)
    }
    return person.twoFactor ? null : openPersonSession(trx, now, { person, origin }).catch(noneByPassword)
  })
}

/** The new password is kept, though it opens none of theirs now. */
function noneByPassword(error: unknown): null {
  if (error instanceof ApiError && error.code === 'password_not_allowed') return null
  throw error
}

function readToken(text: string) {
  const read = readSessionToken(text)
  if (!read) throw new ApiError('reset_refused')
  return { personId: read.environmentId, id: read.id, tokenHash: sha256(text) }
}
