import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { findPerson, type Person } from '../../store/people/persons.ts'
import { forgetFailures, takeAttempt } from '../../store/people/sign-in-failures.ts'
import { checkAttempt, refuseBlocked } from './blocked.ts'
import { proveSecond } from './second-proof.ts'

/** What somebody who is signed in shows again before their account changes. */
export type SelfProof = { password: string; code?: string | undefined }

/**
 * A session alone, perhaps a stolen one, changes no proof. Failures are counted by the person, apart from those at the
 * sign-in: a stranger there keeps nobody from changing a password here.
 */
export async function proveSelf(ctx: Ctx, personId: string, { password, code }: SelfProof): Promise<Person> {
  const { db } = ctx.database
  const [count, now] = [sha256(`own password ${personId}`), ctx.clock()]
  const before = await findPerson(db, personId)
  if (before?.passwordHash === null) throw new ApiError('password_absent')
  refuseBlocked(await takeAttempt(db, count, now), now)
  const person = await ctx.passwords.isRight({ password, turn: 'known' }, () => findPerson(db, personId))
  if (!person) throw new ApiError('proof_refused')
  const attempt = { count, takenAt: now }
  if (code !== undefined && !(await checkAttempt(db, attempt, () => proveSecond(ctx, personId, code))))
    throw new ApiError('proof_refused')
  await forgetFailures(db, count)
  return person
}
