import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import type { Db } from '../../store/database.ts'
import {
  beginTotp,
  confirmTotp,
  findTotpSecret,
  removeTotp,
  setRecoveryCodes,
} from '../../store/people/second-proofs.ts'
import { forgetFailures, takeAttempt } from '../../store/people/sign-in-failures.ts'
import { noteChange } from '../record/note-change.ts'
import { refuseBlocked } from './blocked.ts'
import { changeAccount, type Self } from './change-account.ts'
import { proveSelf, type SelfProof } from './prove-self.ts'
import { newRecoveryCodes, newTotpSecret, openTotpSecret } from './second-proof.ts'
import { base32, findTotpStep, totpUri } from './totp.ts'

const issuer = 'Tidings'

/** Shown this once. It counts once a code of it was sent back (`confirmTwoFactor`). */
export async function beginTwoFactor(
  ctx: Ctx,
  { id, email }: { id: string; email: string },
  { password }: SelfProof,
): Promise<{ secret: string; uri: string }> {
  await proveSelf(ctx, id, { password })
  const { bytes, sealed } = newTotpSecret(ctx, id)
  if (!(await beginTotp(ctx.database.db, id, sealed, ctx.clock()))) throw new ApiError('two_factor_on')
  return { secret: base32(bytes), uri: totpUri(bytes, { issuer, account: email }) }
}

/** Answers the recovery codes, which are known only now. */
export async function confirmTwoFactor(ctx: Ctx, self: Self, code: string): Promise<string[]> {
  const { db } = ctx.database
  const { id } = self.person
  const [count, now] = [sha256(`second proof ${id}`), ctx.clock()]
  const found = await findTotpSecret(db, id)
  if (!found) throw new ApiError('two_factor_off')
  if (found.confirmedAt) throw new ApiError('two_factor_on')
  // Opened before the attempt is counted, because it cannot be checked without the encryption key.
  const secret = openTotpSecret(ctx, id, found.secret)
  refuseBlocked(await takeAttempt(db, count, now), now)
  const step = findTotpStep(secret, code.replace(/\s/g, ''), now)
  if (step === null) throw new ApiError('proof_refused')
  await forgetFailures(db, count)
  return changeAccount(ctx, self, 'account.two-factor-on', async (trx) => {
    if (!(await confirmTotp(trx, id, { secret: found.secret, step }, now))) throw new ApiError('two_factor_off')
    noteTwoFactor(trx, self, [false, true])
    return makeCodes(trx, id)
  })
}

export async function endTwoFactor(ctx: Ctx, self: Self, proof: Required<SelfProof>): Promise<void> {
  const { id } = await proveSecondly(ctx, self, proof)
  await changeAccount(ctx, self, 'account.two-factor-off', async (trx) => {
    if (!(await removeTotp(trx, id, ctx.clock()))) throw new ApiError('two_factor_off')
    noteTwoFactor(trx, self, [true, false])
  })
}

/** Those before open nothing any more. */
export async function renewRecoveryCodes(ctx: Ctx, self: Self, proof: Required<SelfProof>): Promise<string[]> {
  const { id } = await proveSecondly(ctx, self, proof)
  return changeAccount(ctx, self, 'account.recovery-codes', async (trx) => {
    noteChange(trx, { type: 'person', id, name: self.person.name }, {})
    return makeCodes(trx, id)
  })
}

async function proveSecondly(ctx: Ctx, { person }: Self, proof: Required<SelfProof>) {
  const found = await findTotpSecret(ctx.database.db, person.id)
  if (!found?.confirmedAt) throw new ApiError('two_factor_off')
  return proveSelf(ctx, person.id, proof)
}

async function makeCodes(db: Db, personId: string): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes(personId)
  await setRecoveryCodes(db, personId, hashes)
  return codes
}

function noteTwoFactor(db: Db, { person }: Self, [before, after]: [boolean, boolean]): void {
  const subject = { type: 'person', id: person.id, name: person.name }
  noteChange(db, subject, { before: { twoFactor: before }, after: { twoFactor: after } })
}
